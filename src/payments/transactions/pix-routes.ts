import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

import { renderQrPng } from '#qr';
import { PUBLIC_IMAGE, sendCacheable } from '#platform/http/caching.ts';
import type { App } from '#platform/http/server.ts';
import { TransactionNotFoundError } from './errors.ts';
import type { TransactionsService } from './service.ts';

/**
 * The image of a Pix code. Public, since payers are not users: the unguessable URL is the
 * authorization.
 */
export function pixQrCodeRoute(
  app: App,
  { transactions }: { readonly transactions: TransactionsService },
): void {
  app.get(
    '/pix/:file',
    { config: { access: 'public' }, schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply): Promise<FastifyReply> => {
      const txid = /^([0-9a-f]{32})\.png$/.exec(request.params.file)?.[1];
      const transaction = txid === undefined ? undefined : await transactions.findById(idOfTxid(txid));
      if (transaction?.pix === undefined || transaction.pix === null) throw new TransactionNotFoundError();
      const { code } = transaction.pix;
      return sendCacheable(request, reply, { ...PUBLIC_IMAGE, from: code }, () => renderQrPng(code));
    },
  );
}

function idOfTxid(txid: string): string {
  return txid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
