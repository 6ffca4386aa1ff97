// Renders the reference from the OpenAPI document that the gateway serves.
const { openapi, scheme } = document.documentElement.dataset;
const result = document.getElementById('result');
const container = document.getElementById('reference');

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/** UUID v4. `crypto.randomUUID` exists only over HTTPS and on localhost. */
const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const HEADER = 'idempotency-key';
const isKeyParameter = ({ in: where, name }) => where === 'header' && name === HEADER;

try {
  const response = await fetch(openapi);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const spec = await response.json();
  // Requests go to the origin of this page: the Content-Security-Policy forbids others.
  spec.servers = [{ url: location.origin }];

  // The field is filled with a key. Each request gets a new one, unless the reader typed another.
  const generated = new Set();
  const generate = () => {
    const key = newKey();
    generated.add(key);
    return key;
  };
  for (const operations of Object.values(spec.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters.filter(isKeyParameter)) {
        parameter.example = generate();
        parameter.description += ' This page generates a new one for each request.';
      }
    }
  }

  const used = new Set();
  const ui = globalThis.SwaggerUIBundle({
    spec,
    domNode: container,
    deepLinking: true,
    // Tags open on demand: with 140 operations or more, Swagger UI shows the first few only.
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    // The default validator is a third party's server.
    validatorUrl: null,
    requestInterceptor: (request) => {
      const name = Object.keys(request.headers ?? {}).find((one) => one.toLowerCase() === HEADER);
      const key = name === undefined ? undefined : request.headers[name];
      if (generated.has(key)) {
        if (used.has(key)) request.headers[name] = generate();
        used.add(key);
      }
      return request;
    },
  });

  document.getElementById('credential').addEventListener('submit', (event) => {
    event.preventDefault();
    const field = document.getElementById('key');
    ui.preauthorizeApiKey(scheme, field.value.trim());
    field.value = '';
    result.textContent = 'Saved for this page. Open an operation and press Execute.';
  });
} catch {
  container.textContent =
    'The OpenAPI document could not be loaded. Check that the gateway is running, then reload.';
}
