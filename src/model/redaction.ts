// Public error messages: they describe the error, but not the paths or keys of this installation.

const REPLACED = [
  // A URL loses everything after its host: credentials, path and query may each contain a key.
  String.raw`(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?:[^\s\/@'"]*@)?(?<host>[^\s\/'"?#]*)[^\s'"]*`,
  String.raw`(?<named>\b(?:[\w-]*(?:api[_-]?key|token|secret|passw(?:or)?d|credential)[\w-]*|authorization|x-api-key|key)\b["']?\s*[=:]\s*)(?:(?:bearer|basic)\s+)?["']?[^\s"'&,;]+`,
  String.raw`(?<bearer>\b(?:bearer|basic)\s+)[\w.~+\/=-]{8,}`,
  String.raw`(?<quote>['"\x60])(?:\/|~\/|[a-z]:\\|\\\\)[^'"\x60]*\k<quote>`,
  String.raw`(?<path>(?<![\w.:\/<])(?:~?\/[\w.@+=%~-]+(?:\/[\w.@+=%~-]*)*|[a-z]:\\[^\s'"]+|\\\\[^\s'"]+|(?:data|lake|raw|snapshots|tmp)\/[\w.@+=%\/-]+))`,
  String.raw`(?<opaque>\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}\b)`,
].join('|');

export function redact(message: string): string {
  return message.replaceAll(new RegExp(REPLACED, 'gi'), (...args) => {
    const groups: Readonly<Record<string, string | undefined>> = args.at(-1);
    const { scheme, host, named, bearer, quote, path } = groups;
    if (scheme !== undefined) return scheme.toLowerCase() === 'file' ? '[path]' : `${scheme}://${host ?? ''}/[redacted]`;
    if (named !== undefined) return `${named}[redacted]`;
    if (bearer !== undefined) return `${bearer}[redacted]`;
    if (quote !== undefined) return `${quote}[path]${quote}`;
    return path === undefined ? '[redacted]' : '[path]';
  });
}
