/** Quietest first. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = (
  level: Exclude<LogLevel, 'silent'>,
  message: string,
  details?: Readonly<Record<string, unknown>>,
) => void;

interface LogOptions {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
  /** JSON of the value without secrets: a log is written to where anybody may read it. */
  readonly toJson: (value: unknown) => string;
}

/** JSON lines. stdout belongs to the protocol, so they go to stderr. */
export function createLog({ level, write, toJson }: LogOptions): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  return (lineLevel, message, details = {}) => {
    if (LOG_LEVELS.indexOf(lineLevel) > threshold) return;
    const line = { time: new Date().toISOString(), level: lineLevel, message, ...describeErrors(details) };
    write(`${toJson(line)}\n`);
  };
}

/** An Error's own fields are not enumerable; without this it would be logged as `{}`. */
const describeErrors = (details: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, value instanceof Error ? describe(value) : value]),
  );

const describe = (error: Error): Record<string, unknown> => ({
  name: error.name,
  message: error.message,
  stack: error.stack,
  ...(error.cause instanceof Error && { cause: describe(error.cause) }),
});
