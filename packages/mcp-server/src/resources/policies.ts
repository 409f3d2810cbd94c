import type { GuardPolicy } from '@automatosx/contracts/guard';
import { fixedShelf, type Shelf } from './shelf.js';

/** The policies as they can be read: what their gates check, not the functions that do. */
export const policyShelf = (policies: readonly GuardPolicy[]): Shelf =>
  fixedShelf(policies.map(toShown), ({ gates, ...head }) => ({ ...head, gateCount: gates.length }));

const toShown = ({ id, name, description, gates }: GuardPolicy) => ({
  id,
  name,
  description,
  gates: gates.map(({ id, name, description }) => ({ id, name, description })),
});
