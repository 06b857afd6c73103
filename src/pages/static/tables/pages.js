// Lists that grow page by page, when you ask for more.
import { useState } from '../lib/preact.js';
import { getAll } from '../api.js';

/** → { pages, addPage } of a question: another question begins with its first page. */
export function usePages(...question) {
  const asked = JSON.stringify(question);
  const [more, setMore] = useState({ asked, pages: 1 });
  const pages = more.asked === asked ? more.pages : 1;
  return { pages, addPage: () => setMore({ asked, pages: pages + 1 }) };
}

/** Asks for the first `pages` of a list, each with `limit` rows. As `getAll`. */
export const getPages = (path, { pages, ...params }, options) => getAll(path, params, { ...options, most: pages * params.limit });
