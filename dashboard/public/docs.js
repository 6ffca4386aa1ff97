// Draws the reference from the gateway's own OpenAPI document, so that it cannot say anything else than the server does.
const place = document.getElementById('operations');

const element = (name, attributes = {}, ...children) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
};

const typeOf = (schema = {}) => {
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  return [schema.type ?? 'any'].flat().join(' | ');
};

const rows = (schema = {}, path = '') =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const here = path + name + (member.type === 'array' ? '[]' : '');
    const required = schema.required?.includes(name) ? 'yes' : 'no';
    const row = element(
      'tr',
      {},
      ...[here, typeOf(member), required, member.description ?? ''].map((text) => element('td', {}, text)),
    );
    return [row, ...rows(member.type === 'array' ? member.items : member, `${here}.`)];
  });

const table = (caption, schema) => {
  const found = rows(schema);
  if (found.length === 0) return '';
  const head = element(
    'tr',
    {},
    ...['Member', 'Type', 'Required', 'Meaning'].map((text) => element('th', { scope: 'col' }, text)),
  );
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, head),
    element('tbody', {}, ...found),
  );
};

const content = (part) => part?.content?.['application/json']?.schema;

const operation = (method, path, described) => {
  const success = Object.entries(described.responses ?? {}).find(([status]) => status < '300');
  const query = { properties: {}, required: [] };
  for (const parameter of described.parameters ?? []) {
    query.properties[parameter.name] = {
      ...parameter.schema,
      description: parameter.description ?? parameter.schema?.description,
    };
    if (parameter.required) query.required.push(parameter.name);
  }
  const title = element(
    'summary',
    {},
    element('span', { className: 'method' }, method.toUpperCase()),
    element('code', {}, path),
    ` ${described.summary ?? ''}`,
  );
  return element(
    'details',
    {},
    title,
    element(
      'div',
      {},
      table('Parameters', query),
      table('Body', content(described.requestBody)),
      success ? table(`Answer ${success[0]}`, content(success[1])) : '',
    ),
  );
};

try {
  const api = await (await fetch('/openapi.json')).json();
  const byTag = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const tag = described.tags?.[0] ?? 'Other';
      byTag.set(tag, [...(byTag.get(tag) ?? []), operation(method, path, described)]);
    }
  }
  place.replaceChildren(
    ...[...byTag].flatMap(([tag, operations]) => [element('h2', {}, tag), ...operations]),
  );
} catch {
  place.textContent = 'The description of the API could not be read. Is the gateway running?';
}
