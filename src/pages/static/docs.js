// The search of the documentation: every section with all words, those with a word in the title first.
import './keys.js';

const form = document.querySelector('#docs-search');
const input = form.querySelector('input');
const list = form.querySelector('ol');
const MOST = 12;
let sections = null;

form.hidden = false;

/** Loaded once, when a reader starts to search. */
function read() {
  sections ??= fetch('/pages/docs-index.json').then((answer) => answer.json());
  return sections;
}

export function found(all, query) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const rank = ({ page, title }) =>
    words.filter((word) => title.toLowerCase().includes(word)).length * 2 +
    words.filter((word) => page.toLowerCase().includes(word)).length;
  return all
    .filter(({ page, title, text }) => {
      const whole = `${page} ${title} ${text}`.toLowerCase();
      return words.every((word) => whole.includes(word));
    })
    .sort((one, other) => rank(other) - rank(one))
    .slice(0, MOST);
}

async function show() {
  const query = input.value;
  const results = query.trim() === '' ? [] : found(await read(), query);
  if (query !== input.value) return;
  list.replaceChildren(
    ...results.map(({ page, title, address }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = address;
      link.textContent = page === title ? title : `${page}: ${title}`;
      item.append(link);
      return item;
    }),
  );
  if (results.length === 0 && query.trim() !== '') {
    const none = document.createElement('li');
    none.textContent = `No results for "${query.trim()}".`;
    list.append(none);
  }
  list.hidden = query.trim() === '';
}

input.addEventListener('input', () => void show());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
