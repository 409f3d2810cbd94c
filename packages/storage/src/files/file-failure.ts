import { ToolError } from '@automatosx/contracts';

/** A file that is there and is not taken, with the reason in words that tell nothing of the host. */
export class Refusal extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** Why a file could not be used. Messages of the system name paths, so only their codes are used. Undefined: a bug. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.message;
  const code = codeOf(error);
  return code === undefined ? undefined : (REASONS[code] ?? code);
}

/** What a caller is told when a file could not be changed. Anything but a failure of the file passes unchanged. */
export function toToolError(error: unknown, name: string): unknown {
  const reason = reasonOf(error);
  if (reason === undefined || error instanceof ToolError) return error;
  if (error instanceof Refusal) {
    return new ToolError('CONFIG_INVALID_VALUE', `${name} must be mended first: ${reason}`, { cause: error });
  }
  return new ToolError('OPERATION_FAILED', `${name} could not be changed: ${reason}`, { cause: error });
}
