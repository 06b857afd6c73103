// Runs tasks one after the other, from any caller.

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function turns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
