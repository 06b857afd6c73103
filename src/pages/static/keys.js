// The slash key leads to the search field, unless you are typing.

function seek(event) {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]') !== null;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  // A field may be within a part that is closed.
  const field = [...document.querySelectorAll('input[type="search"]')].find((one) => one.checkVisibility());
  if (field === undefined) document.querySelector('nav a[href*="#/search"]').click();
  else field.focus();
}
document.addEventListener('keydown', seek);
