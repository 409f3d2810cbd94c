/** Tells whether the database changed. Other processes' changes are asked for once per turn of the event loop. */
export function createVersion(ask: (pragma: string) => number): { current(): object; raise(): void } {
  let version = {};
  let others: number | undefined;
  let isAsked = false;
  return {
    current: () => {
      if (!isAsked) {
        const answer = ask('PRAGMA data_version');
        if (answer !== others) version = {};
        others = answer;
        isAsked = true;
        setImmediate(() => {
          isAsked = false;
        });
      }
      return version;
    },
    raise: () => {
      version = {};
    },
  };
}
