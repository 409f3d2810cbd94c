import { createHmac, timingSafeEqual } from 'node:crypto';
import { hashOf } from '@automatosx/mcp-runtime';
import { isObject, RPC, RpcError } from './json-rpc.js';

/** A person has this long to answer. */
const VALID_MS = 60 * 60_000;
const MAX_LENGTH = 1024 * 1024;
/** A dot, and 32 bytes in Base64. */
const SIGNATURE_LENGTH = 44;

export interface Question {
  readonly principal: string;
  readonly method: string;
  readonly params: unknown;
}

type Responses = Readonly<Record<string, unknown>>;

/**
 * What the client carries from one round of a request to the next: the answers that it gave before. It comes back from a
 * stranger, so it is signed, expires, and is bound to who asked for what.
 */
export interface RequestStates {
  seal(question: Question, responses: Responses): Promise<string>;
  /** The answers so far, those in the request included. Throws -32602 for a state that is not ours, or not this one's. */
  open(question: Question): Promise<Responses>;
}

interface Options {
  readonly key: () => Promise<Uint8Array>;
  readonly now: () => number;
}

export function createRequestStates({ key, now }: Options): RequestStates {
  const sign = async (body: string) =>
    createHmac('sha256', await key())
      .update(body)
      .digest();
  return {
    seal: async (question, responses) => {
      const state = { about: digestOf(question), until: now() + VALID_MS, responses };
      const body = Buffer.from(JSON.stringify(state)).toString('base64url');
      if (body.length > MAX_LENGTH)
        throw new RpcError(RPC.invalidParams, 'The answers so far are too long to go on with');
      return `${body}.${(await sign(body)).toString('base64url')}`;
    },
    open: async (question) => {
      const { inputResponses, requestState } = isObject(question.params) ? question.params : {};
      if (inputResponses !== undefined && !isObject(inputResponses)) {
        throw new RpcError(RPC.invalidParams, 'inputResponses must be an object');
      }
      if (requestState === undefined) return inputResponses ?? {};
      if (typeof requestState !== 'string' || requestState.length > MAX_LENGTH + SIGNATURE_LENGTH) throw foreign();
      const [body = '', signature = ''] = requestState.split('.');
      const [given, right] = [Buffer.from(signature, 'base64url'), await sign(body)];
      if (given.length !== right.length || !timingSafeEqual(given, right)) throw foreign();
      const state = JSON.parse(Buffer.from(body, 'base64url').toString());
      if (state.about !== digestOf(question)) throw foreign();
      if (state.until < now()) throw new RpcError(RPC.invalidParams, 'requestState has expired; call again without it');
      return { ...state.responses, ...inputResponses };
    },
  };
}

const foreign = () => new RpcError(RPC.invalidParams, 'requestState is not one that the server gave for this request');

/** Who asks for what, without what differs from round to round. */
function digestOf({ principal, method, params }: Question): string {
  const { _meta, inputResponses, requestState, ...rest } = isObject(params) ? params : {};
  return hashOf([principal, method, rest]);
}
