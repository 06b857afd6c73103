// The changes of some days, the newest always among them. The interface lists them in the order in which they entered, and the first load of much data
// enters more than one answer has.
import { getText } from '../api.js';

const HOUR = 3_600_000;
/** A shorter span is not divided further. */
const LEAST_MS = HOUR;

/**
 * Asks for the days as a whole. If they have more than `limit` changes, it asks for their newest half, and so on, each with at most a fifth of that, until
 * there are `limit` of them. → { texts, since }: CSVs from the oldest on, and the moment from which they have every change, null if they have all.
 * `ask`: as `getText`.
 */
export async function newestChanges(path, params, options, ask = getText) {
  const whole = await ask(path, params, options);
  if (!whole.isCut) return { texts: [whole.text], since: null };
  const piece = Math.ceil(params.limit / 5);
  const texts = [];
  let count = 0;
  /** Adds the changes from one moment to another, ms; returns the moment from which they are whole, null if they all are. */
  const add = async (from, to) => {
    if (count >= params.limit) return to + 1;
    const asked = { ...params, observed_from: textOf(from), observed_to: textOf(to), limit: piece };
    const { text, isCut } = await ask(path, asked, options);
    if (isCut && to - from > LEAST_MS) {
      const middle = Math.floor((from + to) / 2);
      return (await add(middle + 1, to)) ?? add(from, middle);
    }
    texts.unshift(text);
    count += text.split('\n').length - 2;
    return isCut ? to + 1 : null;
  };
  const since = await add(Date.parse(`${params.observed_from}T00:00:00.000Z`), endOf(params));
  return { texts, since: since === null ? null : textOf(since) };
}

const textOf = (ms) => new Date(ms).toISOString();

/** The end of the last day, or the as-of before it. */
function endOf({ observed_to, as_of }) {
  const end = Date.parse(`${observed_to}T23:59:59.999Z`);
  return as_of?.includes('T') ? Math.min(end, Date.parse(as_of)) : end;
}
