// A second reader of .xlsx files, from the zip archive and its XML alone.
import { text } from 'node:stream/consumers';
import { SaxesParser } from 'saxes';
import { fromBuffer, type ZipFile } from 'yauzl';

/** Null: there is no such cell, or it is empty. */
export type Cell = string | number | boolean | Date | null;
/** By sheet: the values of each row by column header. */
export type Workbook = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

export async function readWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const parts = await partsOf(Buffer.from(bytes));
  const part = (path: string) => parse(parts.get(path) ?? '<none/>');
  const shared = childrenOf(part('xl/sharedStrings.xml'), 'si').map(textOf);
  const styles = part('xl/styles.xml');
  const formats = new Map(all(styles, 'numFmt').map(({ attributes }) => [attributes['numFmtId'], attributes['formatCode'] ?? '']));
  const isDate = all(all(styles, 'cellXfs')[0] ?? styles, 'xf').map(({ attributes }) =>
    /y/.test(formats.get(attributes['numFmtId']) ?? ''),
  );
  const targets = new Map(
    all(part('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ attributes }) => [attributes['Id'], attributes['Target']]),
  );
  const valueOf = ({ attributes, children }: Element): Cell => {
    const value = children.find(({ name }) => name === 'v')?.text;
    if (children.some(({ name }) => name === 'f')) throw new Error(`${attributes['r']} is a formula`);
    if (attributes['t'] === 'inlineStr') return textOf(children[0] ?? { name: '', attributes: {}, children: [], text: '' });
    if (value === undefined) return null;
    if (attributes['t'] === 's') return shared[Number(value)] ?? null;
    if (attributes['t'] === 'b') return value === '1';
    // Day 25569 is 1970-01-01.
    return isDate[Number(attributes['s'] ?? 0)] ? new Date(Math.round((Number(value) - 25_569) * 86_400_000)) : Number(value);
  };
  const sheets = all(part('xl/workbook.xml'), 'sheet').map(({ attributes }) => {
    const rows = all(part(`xl/${targets.get(attributes['r:id'])}`), 'row').map((row) =>
      Object.fromEntries(row.children.map((cell) => [cell.attributes['r']?.replace(/\d+$/, ''), valueOf(cell)])),
    );
    const [header = {}, ...rest] = rows;
    return [
      attributes['name'],
      rest.map((row) => Object.fromEntries(Object.entries(header).map(([column, name]) => [String(name), row[column] ?? null]))),
    ] as const;
  });
  return Object.fromEntries(sheets);
}

function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (some) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += some;
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return root;
}

const all = (element: Element, name: string): readonly Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
const childrenOf = (element: Element, name: string) => all(element, name);
const textOf = (element: Element): string => element.text + element.children.map(textOf).join('');

async function partsOf(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const zip = await new Promise<ZipFile>((done, fail) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error === null ? done(opened) : fail(error))),
  );
  const parts = new Map<string, string>();
  return new Promise((done, fail) => {
    zip.on('entry', (entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error !== null) fail(error);
        else
          text(stream).then((content) => {
            parts.set(entry.fileName, content);
            zip.readEntry();
          }, fail);
      }),
    );
    zip.on('end', () => done(parts));
    zip.on('error', fail);
    zip.readEntry();
  });
}
