import { describe, expect, test } from 'vitest';
import { type Admission, type Caller, createAdmission } from './admission.js';

const user: Caller = { principal: 'local', isLocal: true };
const stranger = (principal: string): Caller => ({ principal, isLocal: false });

/** How many of these were let in. */
const entering = (admission: Admission, caller: Caller, times: number): number =>
  Array.from({ length: times }, () => admission.enter(caller)).filter(Boolean).length;

test('a user of this machine may take all places of the process, and no more', () => {
  const admission = createAdmission();
  expect(entering(admission, user, 2000)).toBe(1024);
  expect(admission.size()).toBe(1024);
});

describe('where there are several principals', () => {
  test('one gets half of the places, and another still gets in', () => {
    const admission = createAdmission();
    expect(entering(admission, stranger('ada'), 600)).toBe(512);
    expect(entering(admission, stranger('bob'), 600)).toBe(512);
    expect(admission.enter(stranger('cleo'))).toBe(false);
    expect(admission.enter(user)).toBe(false);
  });

  test('each of them gets back what they leave', () => {
    const admission = createAdmission();
    entering(admission, stranger('ada'), 512);
    admission.leave(stranger('ada'));
    expect(entering(admission, stranger('ada'), 2)).toBe(1);
    entering(admission, stranger('bob'), 1);
    for (let left = 0; left < 512; left++) admission.leave(stranger('ada'));
    expect(admission.size()).toBe(1);
    expect(entering(admission, stranger('ada'), 600)).toBe(512);
  });
});

test('a refusal takes no place', () => {
  const admission = createAdmission();
  entering(admission, stranger('ada'), 600);
  expect(admission.size()).toBe(512);
  admission.leave(stranger('ada'));
  expect(admission.enter(stranger('ada'))).toBe(true);
});
