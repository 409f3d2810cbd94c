import type { Method, Services } from './method.js';
import { completionMethods } from './methods/completion.js';
import { lifecycleMethods } from './methods/lifecycle.js';
import { loggingMethods } from './methods/logging.js';
import { promptMethods } from './methods/prompts.js';
import { resourceMethods } from './methods/resources.js';
import { subscriptionMethods } from './methods/subscriptions.js';
import { taskMethods } from './methods/tasks.js';
import { toolMethods } from './methods/tools.js';

/** Every method: which eras have it, what it takes, what it does. */
export const createMethods = (services: Services): ReadonlyMap<string, Method> =>
  new Map<string, Method>([
    ...lifecycleMethods(services),
    ...toolMethods(services),
    ...taskMethods(services),
    ...resourceMethods(services),
    ...subscriptionMethods(services),
    ...promptMethods(services),
    ...completionMethods(services),
    ...loggingMethods,
  ]);
