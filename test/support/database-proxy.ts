import { queryEachServer, type TestDatabase } from './database.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A proxy in front of every server of a test database. Its URL leads to the coordinator. */
export type DatabaseProxy = Omit<TcpProxy, 'redirect'>;

/** Also the servers of a distributed database reach each other through the proxies. */
export async function startDatabaseProxy(database: TestDatabase): Promise<DatabaseProxy> {
  const [, ...workers] = database.ownerUrls;
  const front = await startTcpProxy(database.url);
  const proxies = [front];
  for (const url of workers) {
    const proxy = await startTcpProxy(url);
    proxies.push(proxy);
    await queryEachServer(
      database,
      `UPDATE pg_dist_node SET nodeport = ${new URL(proxy.url).port} WHERE nodeport = ${new URL(url).port}`,
    );
  }
  const all = (act: (proxy: TcpProxy) => void) => (): void => proxies.forEach(act);
  return {
    url: front.url,
    connections: () => proxies.reduce((sum, proxy) => sum + proxy.connections(), 0),
    close: all((proxy) => proxy.close()),
    open: all((proxy) => proxy.open()),
    cut: all((proxy) => proxy.cut()),
    freeze: all((proxy) => proxy.freeze()),
    freezeOne: (port) => proxies.forEach((proxy) => proxy.freezeOne(port)),
    holdResponses: all((proxy) => proxy.holdResponses()),
    thaw: all((proxy) => proxy.thaw()),
    delay: (ms) => proxies.forEach((proxy) => proxy.delay(ms)),
    loseResponses: async (ms) => void (await Promise.all(proxies.map((proxy) => proxy.loseResponses(ms)))),
    remove: async () => void (await Promise.all(proxies.map((proxy) => proxy.remove()))),
  };
}
