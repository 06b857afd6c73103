// Pairs of sources with the same data, in the report of a night: at most six lines.
import type { Reconciliation } from '../src/snapshot/build/reconciliations.ts';

const MOST_AGREED = 2;
const MOST_DISAGREEING = 3;

/** @param width characters of a line */
export function reconciliationLines(reconciliations: readonly Reconciliation[], width: number): readonly string[] {
  const groups = new Map<string, Reconciliation[]>();
  for (const one of reconciliations) {
    const name = `${one.leftSourceId}/${one.rightSourceId}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const compared = [...groups].filter(([, pairs]) => pairs.some(({ whyNot }) => whyNot === null));
  const others = [...groups].filter(([, pairs]) => pairs.every(({ whyNot }) => whyNot !== null)).map(([name]) => name);
  const disagreeing = reconciliations.filter((pair) => pair.disagreeing > 0).toSorted((a, b) => b.disagreeing - a.disagreeing);
  const shown = disagreeing.slice(0, disagreeing.length > MOST_DISAGREEING ? MOST_DISAGREEING - 1 : MOST_DISAGREEING);
  const rest = disagreeing.length - shown.length;
  return [
    ...wrapped('sources agree: ', compared.map(agreement), width, MOST_AGREED),
    ...wrapped('not compared: ', others, width, 1),
    ...shown.map(disagreement),
    ...(rest === 0 ? [] : [`and ${rest} more pairs that DISAGREE`]),
  ];
}

function agreement([name, pairs]: readonly [string, readonly Reconciliation[]]): string {
  const sum = (pick: (pair: Reconciliation) => number) => pairs.reduce((total, pair) => total + pick(pair), 0);
  const [dated, missing] = [sum((pair) => pair.dated), pairs.filter(({ whyNot }) => whyNot !== null).length];
  const notes = [...(dated === 0 ? [] : [`${dated} of other days`]), ...(missing === 0 ? [] : [`${missing} pairs not compared`])];
  const count = `${name} ${sum(({ agreeing }) => agreeing)} of ${sum((pair) => pair.compared)}`;
  return notes.length === 0 ? count : `${count} (${notes.join(', ')})`;
}

function disagreement({ leftSourceId, leftIndicator, rightSourceId, disagreeing, compared, disagreements }: Reconciliation): string {
  const [first] = disagreements;
  if (first === undefined) throw new RangeError(`${leftSourceId} and ${rightSourceId} disagree in nothing`);
  const { entityId, period, knownOn, leftValue, rightValue } = first;
  const file = knownOn === null ? '' : ` (known ${knownOn})`;
  return `DISAGREE in ${disagreeing} of ${compared}: ${leftIndicator} of ${entityId}, first ${period}${file}: ${leftSourceId} ${leftValue}, ${rightSourceId} ${rightValue ?? 'had none yet'}`;
}

/** Parts side by side on the given number of lines; the last one counts those without room. */
function wrapped(title: string, parts: readonly string[], width: number, most: number): readonly string[] {
  const lines: string[] = [];
  for (const [index, part] of parts.entries()) {
    const open = lines.at(-1);
    const longer = open === undefined ? `${title}${part}` : `${open}, ${part}`;
    const isLast = index === parts.length - 1;
    const room = width - (lines.length === most && !isLast ? ` and ${parts.length} more`.length : 0);
    if (open === undefined) lines.push(longer);
    else if (longer.length <= room) lines[lines.length - 1] = longer;
    else if (lines.length < most) lines.push(`${' '.repeat(title.length)}${part}`);
    else return [...lines.slice(0, -1), `${open} and ${parts.length - index} more`];
  }
  return lines;
}
