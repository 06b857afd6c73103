// The API reference. Only the parameters of the example are filled in, so that Execute returns the example's answer.
import { keyNow, setKey, takeKey } from './session.js';
import { exampleOnly } from './docs/description.js';

takeKey();
// Swagger UI has dark colours of its own, behind a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
const answer = await fetch('/openapi.json');
const description = exampleOnly(await answer.json());
const ui = window.SwaggerUIBundle({
  spec: description,
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
  // A key typed here is the key of the other pages, too.
  requestInterceptor(request) {
    const key = request.headers['x-api-key'];
    if (key !== undefined && key !== keyNow()) setKey(key);
    return request;
  },
  onComplete() {
    const key = keyNow();
    if (key !== null) ui.preauthorizeApiKey('apiKey', key);
  },
});
