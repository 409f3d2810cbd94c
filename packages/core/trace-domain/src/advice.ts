/** The setting that decides how long a tool may take. */
export const overrideOf = (toolName: string): string => `timeouts.toolOverrides${settingName(toolName)}`;

/** Names with dots stand in brackets, as `config_set` takes them. */
const settingName = (name: string): string => (/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

type Advice = (toolName: string) => string;

const checkInput: Advice = (tool) =>
  `Compare the arguments with the inputSchema of ${tool} in tools/list; error.context.errors names what is wrong`;

const BY_CODE: Readonly<Record<string, Advice>> = {
  INVALID_INPUT: checkInput,
  MISSING_REQUIRED_FIELD: checkInput,
  INVALID_FORMAT: checkInput,
  ARRAY_TOO_LARGE: (tool) => `Send fewer items at a time, or raise limits.request.toolArrayLimits${settingName(tool)}`,
  NOT_FOUND: (tool) => `Look up what there is with the matching list tool before calling ${tool} again`,
  ALREADY_EXISTS: (tool) => `Use the one that exists, or call ${tool} with another name`,
  CONFLICT: (tool) => `Read the present state and call ${tool} again on top of it: something changed it in between`,
  TOOL_TIMEOUT: (tool) => `Give ${tool} more time with ${overrideOf(tool)}, or ask it for less at a time`,
  RATE_LIMITED: (tool) => `Wait error.retryAfterMs between calls of ${tool}, or raise its category in rateLimits`,
  MEMORY_PRESSURE: (tool) => `Wait error.retryAfterMs before calling ${tool} again, or raise cache.maxSizeBytes`,
  SERVICE_UNAVAILABLE: (tool) => `Call ${tool} again when what its message names is reachable`,
  PERMISSION_DENIED: (tool) => `Have a person approve it, or change the policy that refuses ${tool}`,
  NOT_IMPLEMENTED: (tool) => `Use another tool: ${tool} cannot do this`,
  INTERNAL_ERROR: (tool) =>
    `This is a fault of the server: report the call of ${tool} with its trace id and the server's log`,
  INTERRUPTED: (tool) =>
    `The server ended in the middle of ${tool}: call it again, with the same idempotency key if it had one`,
  CANCELLED: (tool) => `Call ${tool} again if it was not meant to be cancelled`,
  STORAGE_UNAVAILABLE: (tool) => `Make sure that the data folder can be written and has room, then call ${tool} again`,
  SERVER_STOPPING: (tool) => `Call ${tool} again when the server runs again`,
  VALUE_TOO_LARGE: (tool) => `Store less at a time with ${tool}: split the value over several keys`,
  INVALID_CURSOR: (tool) => `Begin again without cursor, and pass on only the nextCursor that ${tool} itself gave`,
  IDEMPOTENCY_MISMATCH: (tool) => `Send a new _meta["automatosx/idempotencyKey"] with other arguments of ${tool}`,
  CONFIG_PROTECTED: () => 'Change this setting on the command line: a tool call may not',
  MODEL_UNAVAILABLE: () => 'Configure a model in models.providers, or connect a client that offers sampling',
  WORKFLOW_TIMEOUT: () => "Raise timeoutMs of the workflow, or shorten the critical path's steps",
  WORKFLOW_STEP_FAILED: () => 'Correct the step that failed first; onError: continue lets the others go on without it',
};

/** What helps against an error; the finer code knows better. */
export function adviceFor(codes: readonly (string | undefined)[], toolName: string): string {
  const advice = codes.flatMap((code) =>
    code !== undefined && Object.hasOwn(BY_CODE, code) ? [BY_CODE[code]] : [],
  )[0];
  return advice?.(toolName) ?? `Look at the input and the message of ${toolName} in trace_get`;
}
