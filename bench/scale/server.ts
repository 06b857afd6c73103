// One server process like src/http/admission/gate.ts and src/db/lanes.ts: a place among the requests of a class, then a lane, which clients
// get in turn, then a share of the processor; and the time limit of the request's class.
import type { PerClass, QueryClass } from '../../src/db/lanes.ts';
import { type Cores, openCores } from './cores.ts';
import type { Timeline } from './events.ts';

export interface ServerSettings {
  readonly cores: number;
  readonly lanes: PerClass<number>;
  /** Running and waiting. */
  readonly capacity: PerClass<number>;
  readonly seconds: PerClass<number>;
}

export type Outcome = 'served' | 'refused' | 'overdue';

export interface Request {
  readonly queryClass: QueryClass;
  readonly client: number;
  readonly coreSeconds: number;
  /** Answered from memory, before gate and lanes. */
  readonly isKept: boolean;
  readonly end: (outcome: Outcome) => void;
}

export interface Server {
  readonly take: (request: Request) => void;
  readonly inFlight: () => number;
  readonly spent: () => number;
  /** Seconds in which lanes of a class were in use, over all lanes. */
  readonly laneSeconds: () => PerClass<number>;
  /** Work other than requests. */
  readonly besides: (coreSeconds: number, done: () => void) => void;
  /** The process ends: returns its unanswered requests, in order of arrival. */
  readonly kill: () => readonly Request[];
}

interface Held {
  readonly request: Request;
  /** Removes it from queue, lane and processor. */
  leave: () => void;
}

export function openServer(timeline: Timeline, settings: ServerSettings): Server {
  const cores: Cores = openCores(timeline, settings.cores);
  const held = new Set<Held>();
  const others = new Set<() => void>();
  const classes = {
    lookup: lanesOf(timeline, settings.lanes.lookup),
    screen: lanesOf(timeline, settings.lanes.screen),
    bulk: lanesOf(timeline, settings.lanes.bulk),
  };
  const counts = { lookup: 0, screen: 0, bulk: 0 };
  const takeKept = (request: Request) => {
    const one: Held = { request, leave: () => undefined };
    held.add(one);
    one.leave = cores.start(request.coreSeconds, () => {
      held.delete(one);
      request.end('served');
    });
  };
  const admit = (request: Request) => {
    const { queryClass } = request;
    if (counts[queryClass] >= settings.capacity[queryClass]) return request.end('refused');
    counts[queryClass] += 1;
    let release: () => void = () => undefined;
    let work: () => void = () => undefined;
    const one: Held = { request, leave: () => undefined };
    held.add(one);
    const finish = (outcome: Outcome) => {
      one.leave();
      request.end(outcome);
    };
    const cancelTimer = timeline.in(settings.seconds[queryClass], () => finish('overdue'));
    const cancelWait = classes[queryClass].enter(request.client, (leaveLane) => {
      release = leaveLane;
      work = cores.start(request.coreSeconds, () => finish('served'));
    });
    one.leave = () => {
      held.delete(one);
      counts[queryClass] -= 1;
      cancelTimer();
      cancelWait();
      work();
      release();
    };
  };
  return {
    take: (request) => (request.isKept ? takeKept(request) : admit(request)),
    inFlight: () => held.size,
    spent: () => cores.spent(),
    laneSeconds: () => ({ lookup: classes.lookup.taken(), screen: classes.screen.taken(), bulk: classes.bulk.taken() }),
    besides(coreSeconds, done) {
      const stop = cores.start(coreSeconds, () => {
        others.delete(stop);
        done();
      });
      others.add(stop);
    },
    kill() {
      for (const stop of others) stop();
      others.clear();
      const requests = [...held];
      // Last first, so that none of them gets a lane meanwhile.
      for (const one of requests.toReversed()) one.leave();
      return requests.map(({ request }) => request);
    },
  };
}

interface Lanes {
  /** Returns a function that removes it from the queue. */
  readonly enter: (client: number, enter: (leave: () => void) => void) => () => void;
  readonly taken: () => number;
}

function lanesOf(timeline: Timeline, size: number): Lanes {
  let [running, since, taken] = [0, 0, 0];
  /** Waiting requests by client; the served client goes to the end. */
  const waiting = new Map<number, Set<() => void>>();
  const count = (change: number) => {
    taken += running * (timeline.now() - since);
    since = timeline.now();
    running += change;
  };
  const start = (enter: (leave: () => void) => void) => {
    count(1);
    let isIn = true;
    enter(() => {
      if (!isIn) return;
      isIn = false;
      count(-1);
      letIn();
    });
  };
  const letIn = () => {
    const [next] = waiting;
    if (next === undefined || running >= size) return;
    const [client, queue] = next;
    const [first] = queue;
    waiting.delete(client);
    if (first === undefined) return;
    queue.delete(first);
    if (queue.size > 0) waiting.set(client, queue);
    first();
  };
  return {
    enter(client, enter) {
      if (running < size) {
        start(enter);
        return () => undefined;
      }
      const own = () => start(enter);
      const queue = waiting.get(client) ?? new Set();
      waiting.set(client, queue.add(own));
      return () => {
        queue.delete(own);
        if (queue.size === 0 && waiting.get(client) === queue) waiting.delete(client);
      };
    },
    taken: () => {
      count(0);
      return taken;
    },
  };
}
