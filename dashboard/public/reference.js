// Draws the reference from the gateway's own OpenAPI document, so that it cannot say anything else than the server does.
const said = document.getElementById('said');
const place = document.getElementById('reference');

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/** UUID v4. `crypto.randomUUID` is missing where the page was not loaded over HTTPS or from this machine. */
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
  const description = await (await fetch('/openapi.json')).json();
  // Calls go to where this page came from: other addresses of the gateway would be another origin.
  description.servers = [{ url: location.origin }];

  // The field is filled before a try, and a key that was not typed by the reader is used for one try only.
  const given = new Set();
  const fresh = () => {
    const key = newKey();
    given.add(key);
    return key;
  };
  for (const operations of Object.values(description.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters.filter(isKeyParameter)) {
        parameter.example = fresh();
        parameter.description += ' Left as it is, each try from this page gets a new one.';
      }
    }
  }

  const spent = new Set();
  const ui = globalThis.SwaggerUIBundle({
    spec: description,
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: false,
    // The validator of Swagger is somebody else's server.
    validatorUrl: null,
    requestInterceptor: (request) => {
      const name = Object.keys(request.headers ?? {}).find((one) => one.toLowerCase() === HEADER);
      const key = name === undefined ? undefined : request.headers[name];
      if (given.has(key)) {
        if (spent.has(key)) request.headers[name] = fresh();
        spent.add(key);
      }
      return request;
    },
  });

  document.getElementById('credential').addEventListener('submit', (event) => {
    event.preventDefault();
    const field = document.getElementById('api-key');
    ui.preauthorizeApiKey('apiKey', field.value.trim());
    field.value = '';
    said.textContent = 'The key is set. Open an operation and press Execute.';
  });
} catch {
  place.textContent = 'The description of the API could not be read. Is the gateway running?';
}
