// The same request for a terminal and two languages. They never contain the key, but read it from the environment.
import { addressOf } from './api.js';

/** → [{ id, label, text }] */
export function snippetsOf(origin, path, params) {
  const kept = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const url = origin + addressOf(path, Object.fromEntries(kept));
  return [
    { id: 'curl', label: 'curl', text: `curl -H "x-api-key: $ASOF_KEY" ${shellQuoted(url)}` },
    { id: 'python', label: 'Python', text: python(origin + path, kept) },
    { id: 'typescript', label: 'TypeScript', text: typescript(url) },
  ];
}

/**
 * How to compare a publisher's file with its SHA-256: [{ label, text }], text a command of a shell. `file`: the payload of a chain; `address`: where the
 * publisher has it, or null.
 */
export function fileChecksOf({ sha256, locator }, address) {
  return [
    { label: 'A file that you have', text: `echo '${sha256}  FILE' | sha256sum --check` },
    ...(/^https?:/.test(address ?? '')
      ? [{ label: 'What the publisher has now', text: `curl --silent --location ${shellQuoted(address)} | sha256sum` }]
      : []),
    ...(locator === null
      ? []
      : [{ label: 'The archived file, on its server', text: `gunzip --stdout "$DATA_DIR/${locator}" | sha256sum` }]),
  ];
}

function python(url, params) {
  const lines = params.map(([name, value]) => `        ${pythonQuoted(name)}: ${pythonQuoted(String(value))},`);
  return [
    'import os',
    '',
    'import httpx',
    '',
    'answer = httpx.get(',
    `    ${pythonQuoted(url)},`,
    ...(lines.length === 0 ? [] : ['    params={', ...lines, '    },']),
    '    headers={"x-api-key": os.environ["ASOF_KEY"]},',
    ')',
    'answer.raise_for_status()',
    params.some(([name, value]) => name === 'format' && value !== 'json') ? 'rows = answer.text' : 'rows = answer.json()["data"]',
  ].join('\n');
}

function typescript(url) {
  const isText = /[?&]format=(?!json)/.test(url);
  return [
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    "  headers: { 'x-api-key': process.env['ASOF_KEY'] ?? '' },",
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    isText ? 'const rows = await answer.text();' : 'const { data } = await answer.json();',
  ].join('\n');
}

const shellQuoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// A JSON string is a valid Python string, except for surrogate halves, which addresses cannot contain.
const pythonQuoted = (text) => JSON.stringify(text);
