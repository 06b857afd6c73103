// The text format of Prometheus, read strictly: each line must be one of its forms, each sample of a metric that was announced.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const COMMENT = /^# (?<kind>HELP|TYPE) (?<name>[a-zA-Z_:][\w:]*) (?<rest>.+)$/;
const SAMPLE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>[-+]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|Inf)|NaN)$/i;
const LABEL = /^(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\]|\\[\\"n])*)"(?:,|$)/;

export function parseMetrics(text: string): readonly Sample[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  const announced = new Set<string>();
  for (const line of lines.filter((one) => one.startsWith('#'))) {
    const { kind, name = '' } = COMMENT.exec(line)?.groups ?? {};
    if (kind === undefined) throw new Error(`no comment of the format: ${line}`);
    announced.add(name);
  }
  const written = lines.filter((line) => !line.startsWith('#'));
  const series = written.map((line) => line.slice(0, line.lastIndexOf(' ')));
  const twice = series.find((one, index) => series.indexOf(one) !== index);
  if (twice !== undefined) throw new Error(`${twice} stands twice`);
  return written.map((line) => sampleOf(line, announced));
}

function sampleOf(line: string, announced: ReadonlySet<string>): Sample {
  const { name, labels = '', value = '' } = SAMPLE.exec(line)?.groups ?? {};
  if (name === undefined) throw new Error(`no sample of the format: ${line}`);
  if (!announced.has(name) && !announced.has(name.replace(/_(?:bucket|sum|count)$/, ''))) throw new Error(`${name} was not announced`);
  return { name, labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) };
}

/** Names of all metrics, as they are announced. */
export function metricNames(text: string): readonly string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const found = LABEL.exec(rest);
    if (found?.groups === undefined) throw new Error(`no labels of the format: ${text}`);
    labels[found.groups['name'] ?? ''] = found.groups['value'] ?? '';
    rest = rest.slice(found[0].length);
  }
  return labels;
}
