// Prepares /openapi.json for the reference: only some examples become values to send.

/** The description with values only for the parameters of each operation's `x-example`; other examples move into the text. */
export function exampleOnly(description) {
  const shared = description.components.parameters ?? {};
  const paths = Object.fromEntries(
    Object.entries(description.paths).map(([path, { get, ...rest }]) => {
      const sent = sentBy(get['x-example'] ?? '', path);
      const parameters = (get.parameters ?? []).map((one) => filledIn(resolved(one, shared), sent)).filter((one) => !('x-alias-of' in one));
      return [path, { ...rest, get: { ...get, parameters } }];
    }),
  );
  return { ...description, servers: [{ url: '/' }], paths };
}

const resolved = (parameter, shared) => ('$ref' in parameter ? shared[parameter.$ref.split('/').at(-1)] : parameter);

/** Name → value of the parameters in an example, including those in its path. */
function sentBy(example, path) {
  const [sentPath, query = ''] = example.split('?');
  const parts = sentPath.split('/');
  const named = path
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(parts[at] ?? '')]] : []));
  return new Map([...named, ...new URLSearchParams(query)]);
}

function filledIn({ example, ...parameter }, sent) {
  const { default: unsent, examples: _examples, ...schema } = parameter.schema;
  const hints = [unsent === undefined ? null : `Default: ${unsent}.`, example === undefined ? null : `Example: \`${example}\`.`];
  const text = [parameter.description, ...hints.filter((one) => one !== null)].join(' ');
  const value = sent.get(parameter.name);
  return { ...parameter, description: text, schema, ...(value === undefined ? {} : { example: typed(value, schema) }) };
}

const typed = (value, { type }) =>
  type === 'integer' || type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value;
