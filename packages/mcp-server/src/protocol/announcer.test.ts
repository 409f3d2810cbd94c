import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Audience, connectionAudience, createAnnouncer } from './announcer.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => void vi.useRealTimers();
});

const tick = () => vi.advanceTimersByTimeAsync(250);

/** A few resources whose stamps are numbers, `store:` ones with a version and `quiet:` ones without. */
function world() {
  const stamps = new Map<string, number>();
  const asked: string[] = [];
  let version = {};
  let failure: Error | undefined;
  let isLocked = false;
  const announcer = createAnnouncer({
    stampOf: (uri, principal) => {
      if (!/^(?:store|quiet):/.test(uri)) return undefined;
      asked.push(`${principal} ${uri}`);
      return failure ? Promise.reject(failure) : Promise.resolve(String(stamps.get(uri)));
    },
    version: () => {
      if (isLocked) throw new Error('locked');
      return version;
    },
    isVersioned: (uri) => uri.startsWith('store:'),
  });
  onTestFinished(() => announcer.close());
  const change = (uri: string) => {
    stamps.set(uri, (stamps.get(uri) ?? 0) + 1);
    if (uri.startsWith('store:')) version = {};
  };
  const audience = (principal = 'user'): Audience & { told: string[] } => {
    const told: string[] = [];
    const send = (text: string) => {
      const { method, params } = JSON.parse(text);
      told.push(`${method.slice('notifications/'.length)} ${params.uri ?? ''}`.trim());
    };
    return { ...connectionAudience({ principal, send }, new Set()), told };
  };
  const fail = (error: Error | undefined) => {
    failure = error;
  };
  const lock = (locked: boolean) => {
    isLocked = locked;
  };
  return { announcer, change, audience, asked, fail, lock };
}

const UPDATED = 'resources/updated store:a';

describe('resources', () => {
  test('a change is told once, to those who subscribed', async () => {
    const { announcer, change, audience } = world();
    const [subscriber, other] = [audience(), audience()];
    announcer.join(subscriber);
    announcer.join(other);
    expect(await announcer.subscribe(subscriber, ['store:a'])).toEqual(['store:a']);
    change('store:a');
    change('store:a');
    await tick();
    await tick();
    expect(subscriber.told).toEqual([UPDATED]);
    expect(other.told).toEqual([]);
    announcer.unsubscribe(subscriber, 'store:a');
    change('store:a');
    await tick();
    expect(subscriber.told).toEqual([UPDATED]);
  });

  test('what nothing could ever have is not watched', async () => {
    const { announcer, audience } = world();
    const subscriber = audience();
    expect(await announcer.subscribe(subscriber, ['x:y', 'store:a', 'store:a'])).toEqual(['store:a']);
    expect([...subscriber.uris]).toEqual(['store:a']);
  });

  test('nothing is asked while the version stays, but for what it says nothing about', async () => {
    const { announcer, change, audience, asked } = world();
    const subscriber = audience();
    announcer.join(subscriber);
    await announcer.subscribe(subscriber, ['store:a', 'quiet:b']);
    await tick();
    asked.length = 0;
    await tick();
    expect(asked).toEqual(['user quiet:b']);
    change('quiet:b');
    await tick();
    expect(subscriber.told).toEqual(['resources/updated quiet:b']);
  });

  test('each URI of a principal is asked for once, however many wait for it', async () => {
    const { announcer, change, audience, asked } = world();
    const audiences = [audience('one'), audience('one'), audience('two')];
    for (const each of audiences) {
      announcer.join(each);
      await announcer.subscribe(each, ['store:a']);
    }
    asked.length = 0;
    change('store:a');
    await tick();
    expect(asked).toEqual(['one store:a', 'two store:a']);
    expect(audiences.map(({ told }) => told)).toEqual([[UPDATED], [UPDATED], [UPDATED]]);
  });

  test('a newcomer hides no change from those who are there, and hears of none before its time', async () => {
    const { announcer, change, audience } = world();
    const [early, late] = [audience(), audience()];
    announcer.join(early);
    announcer.join(late);
    await announcer.subscribe(early, ['store:a']);
    change('store:a');
    await announcer.subscribe(late, ['store:a']);
    await tick();
    expect([early.told, late.told]).toEqual([[UPDATED], []]);
  });

  test('a change between subscribing and joining is told even if others heard of it before', async () => {
    const { announcer, change, audience } = world();
    const [there, newcomer] = [audience(), audience()];
    announcer.join(there);
    await announcer.subscribe(there, ['store:a']);
    await announcer.subscribe(newcomer, ['store:a']);
    change('store:a');
    await tick();
    expect([there.told, newcomer.told]).toEqual([[UPDATED], []]);
    announcer.join(newcomer);
    await tick();
    expect([there.told, newcomer.told]).toEqual([[UPDATED], [UPDATED]]);
  });

  test('what cannot be looked at is looked at by the next tick', async () => {
    const { announcer, change, audience, fail } = world();
    const subscriber = audience();
    announcer.join(subscriber);
    await announcer.subscribe(subscriber, ['store:a']);
    change('store:a');
    fail(new Error('locked'));
    await tick();
    expect(subscriber.told).toEqual([]);
    fail(undefined);
    await tick();
    expect(subscriber.told).toEqual([UPDATED]);
  });

  test('a version that cannot be told is asked for again by the next tick', async () => {
    const { announcer, change, audience, lock } = world();
    const subscriber = audience();
    announcer.join(subscriber);
    await announcer.subscribe(subscriber, ['store:a']);
    change('store:a');
    lock(true);
    await tick();
    expect(subscriber.told).toEqual([]);
    lock(false);
    await tick();
    expect(subscriber.told).toEqual([UPDATED]);
  });

  test('where the first look fails, the client is told to look for itself', async () => {
    const { announcer, audience, fail } = world();
    const subscriber = audience();
    announcer.join(subscriber);
    fail(new Error('locked'));
    await announcer.subscribe(subscriber, ['store:a']);
    fail(undefined);
    await tick();
    expect(subscriber.told).toEqual([UPDATED]);
  });

  test('the 1,001st is refused, and one that is watched already is not', async () => {
    const { announcer, audience } = world();
    const subscriber = audience();
    const uris = Array.from({ length: 1001 }, (_, index) => `store:${index}`);
    const refusal = { code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } };
    await expect(announcer.subscribe(subscriber, uris)).rejects.toMatchObject(refusal);
    await announcer.subscribe(subscriber, uris.slice(0, 1000));
    await expect(announcer.subscribe(subscriber, ['store:1000'])).rejects.toMatchObject(refusal);
    await announcer.subscribe(subscriber, ['store:0']);
    expect(subscriber.uris.size).toBe(1000);
  });

  test('many at once cannot pass the bound together', async () => {
    const { announcer, audience } = world();
    const subscriber = audience();
    const asked = Array.from({ length: 1100 }, (_, index) => announcer.subscribe(subscriber, [`store:${index}`]));
    const settled = await Promise.allSettled(asked);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1000);
    expect(subscriber.uris.size).toBe(1000);
  });
});

describe('lists', () => {
  test('changes within a tick are told once per list, to those who hear of it', async () => {
    const { announcer, audience } = world();
    const [all, prompts] = [audience(), { ...audience(), lists: new Set(['prompts'] as const) }];
    announcer.join(all);
    announcer.join(prompts);
    for (const kind of ['tools', 'tools', 'resources', 'tools'] as const) announcer.listChanged(kind);
    await tick();
    expect(all.told).toEqual(['tools/list_changed', 'resources/list_changed']);
    expect(prompts.told).toEqual([]);
    announcer.listChanged('prompts');
    await tick();
    expect(prompts.told).toEqual(['prompts/list_changed']);
  });
});

describe('the timer', () => {
  test('runs only while somebody has subscribed', async () => {
    const { announcer, audience } = world();
    const subscriber = audience();
    const leave = announcer.join(subscriber);
    expect(vi.getTimerCount()).toBe(0);
    await announcer.subscribe(subscriber, ['store:a']);
    await tick();
    expect(vi.getTimerCount()).toBe(1);
    leave();
    await tick();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('never runs two looks at once', async () => {
    let running = 0;
    let most = 0;
    let isSlow = false;
    const announcer = createAnnouncer({
      stampOf: async () => {
        most = Math.max(most, ++running);
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1000));
        running -= 1;
        return '';
      },
      version: () => ({}),
      isVersioned: () => true,
    });
    const uris = new Set<string>();
    announcer.join({ principal: 'user', uris, lists: new Set(), notify: () => {} });
    await announcer.subscribe({ principal: 'user', uris }, ['a:b']);
    isSlow = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(most).toBe(1);
  });

  test('ends with the announcer, and nothing is told afterwards', async () => {
    const { announcer, change, audience } = world();
    const subscriber = audience();
    announcer.join(subscriber);
    await announcer.subscribe(subscriber, ['store:a']);
    change('store:a');
    announcer.listChanged('tools');
    await announcer.close();
    await tick();
    expect(subscriber.told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
