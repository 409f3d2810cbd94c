import { CLIENT_LOG_LEVELS } from '@automatosx/mcp-runtime';
import * as z from 'zod';
import type { Methods } from '../method.js';
import { HANDSHAKE, method } from './define.js';

export const loggingMethods: Methods = [
  method('logging/setLevel', {
    eras: HANDSHAKE,
    params: z.looseObject({ level: z.enum(CLIENT_LOG_LEVELS) }),
    handle: ({ level }, { state }) => {
      state.logLevel = level;
      return {};
    },
  }),
];
