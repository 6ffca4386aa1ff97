import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

/**
 * A webhook receiver: answers every request immediately, except those to /hang. Records the delay
 * of each event since its creation, by the first part of the path.
 */

const [key = '', cert = ''] = process.argv.slice(2);
const arrivals = new Map<string, number[]>();

const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
  const name = request.url?.split('/')[1] ?? '';
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const now = Date.now();
    const made = /"sentAt":"([^"]+)"/.exec(Buffer.concat(chunks).toString())?.[1];
    const noted = arrivals.get(name) ?? [];
    if (noted.length === 0) arrivals.set(name, noted);
    noted.push(made === undefined ? 0 : now - Date.parse(made));
    if (name !== 'hang') response.end('ok');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('message', ({ name, whole }: { readonly name: string; readonly whole: boolean }) => {
  const delays = arrivals.get(name) ?? [];
  process.send?.(whole ? { delays } : { count: delays.length });
});
