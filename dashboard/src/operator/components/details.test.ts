import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';

import { ACTIONS } from '../../../../src/audit/actions.ts';
import { en as sellerEn } from '../../i18n/en.ts';
import { pt as sellerPt } from '../../i18n/pt.ts';
import { en } from '../i18n/en.ts';
import { pt } from '../i18n/pt.ts';
import { detailLabel } from './details.ts';
import { actionLabel, jobLabel } from './labels.ts';

beforeAll(async () => {
  const resources = {
    'pt-BR': { translation: { ...sellerPt, operator: pt } },
    en: { translation: { ...sellerEn, operator: en } },
  };
  await i18next.init({ lng: 'pt-BR', resources, interpolation: { escapeValue: false } });
});

const ID = '01a2077f-dcd8-48b5-a7a3-94dd134111b8';

describe('labels of the gateway’s own texts', () => {
  it.each([
    ['to be returned to the payer', 'O valor será devolvido ao pagador.'],
    ['PAID to PAID', 'Mudança de “Paga” para “Paga” não permitida.'],
    [`already reported as PAYMENT of ${ID}`, `O mesmo ID já foi recebido como Pagamento de ${ID}.`],
    ['refused: the account is closed', 'Recusada pelo provedor: the account is closed'],
    [
      `entry ${ID} PAYMENT cannot go from available to reserved`,
      `Lançamento ${ID} (Pagamento recebido): as contas de débito e crédito são incompatíveis com o tipo.`,
    ],
    [
      'entry (none) of PIX should be followed by others: the wallet counts 2 entries and there are 0',
      'Lançamentos de Pix: a conta registra 2, mas existem 0.',
    ],
    [
      `entry ${ID} records 10 available and 0 blocked of PIX, the entries up to it sum to 5 and 0`,
      `Lançamento ${ID} (Pix): os saldos gravados diferem da soma dos lançamentos.`,
    ],
    ['refused: refused by the provider: PixInvalido', 'Recusada pelo provedor: PixInvalido'],
    ['other amount or currency: 1050 BRL', 'Valor ou moeda diferente: R$ 10,50.'],
    ['other amount or currency: 1050 USD', 'Valor ou moeda diferente: US$ 10,50.'],
    ['already reported', 'Outra linha já informou o mesmo evento.'],
    ['is REGISTERED', 'O boleto já estava registrado no banco.'],
    ['accepted, but 500 cents were debited', 'O provedor debitou R$ 5,00, valor diferente do que aceitou.'],
    [
      `withdrawal ${ID} is unknown, its entries sum to 0 reserved, 0 returned, 100 paid and 0 fee`,
      `Saque ${ID}: há lançamentos, mas o saque não existe.`,
    ],
    [
      `withdrawal ${ID} is PAID, its entries sum to 0 reserved, 0 returned, 0 paid and 0 fee`,
      `Saque ${ID} (Pago): os lançamentos não correspondem à situação.`,
    ],
    ['the withdrawal cannot go from PAID to FAILED', 'Mudança de “Pago” para “Não realizado” não permitida.'],
    ['the date 2026-11-20 lies in the future', 'A data 20/11/2026 está no futuro.'],
    [
      'processing failed: accept it to try again',
      'Falha no processamento. Aceite a linha para tentar de novo.',
    ],
    ['chain entry 7 is missing', 'Falta o elo 7 da cadeia.'],
    [
      'available balance of origin PIX is 10, its entries sum to -5',
      'Saldo disponível (Pix): gravado R$ 0,10, soma dos lançamentos −R$ 0,05.',
    ],
    [
      `transaction ${ID}: held by disputes should be 1500 and is 0`,
      `Cobrança ${ID}, bloqueado por disputas: esperado R$ 15,00, lançado R$ 0,00.`,
    ],
    [
      `transaction ${ID}: open disputes should be 1 and is 0`,
      `Cobrança ${ID}, disputas em aberto: esperado 1, lançado 0.`,
    ],
    [
      `transaction ${ID}: provider event should be 1 and is 0`,
      `Cobrança ${ID}, evento do provedor: esperado 1, lançado 0.`,
    ],
    [
      'the bank reported 9900 instead of 10000: ask the bank',
      'O banco informou R$ 99,00, mas o saque é de R$ 100,00. Consulte o banco.',
    ],
  ])('translates %s', async (text, portuguese) => {
    await i18next.changeLanguage('pt-BR');
    expect(detailLabel(text).replaceAll('\u00A0', ' ')).toBe(portuguese);
    await i18next.changeLanguage('en');
    expect(detailLabel(text)).not.toContain('{{');
    expect(detailLabel(text)).not.toBe(text);
  });

  it.each([
    'unknown format: ask the provider',
    'outcome unknown: ask the provider',
    'unknown kind of notification',
    'refused, but the transaction is PAID',
    'the bank had reported it as paid: ask the bank',
    'the bank had rejected it before: write it off at the bank',
    'the bank reported 9900 instead of 10000: ask the bank',
    'payment with an unknown movement code: ask the bank',
    'outcome unknown: ask the bank',
  ])('translates %s to Portuguese', async (text) => {
    await i18next.changeLanguage('pt-BR');
    expect(detailLabel(text)).toMatch(/(Confirme|Consulte|Verifique|banco|provedor)/);
    expect(detailLabel(text)).not.toContain('ask');
  });

  it('shows unknown values as they are', async () => {
    await i18next.changeLanguage('pt-BR');
    expect(detailLabel('Confirmado por telefone')).toBe('Confirmado por telefone');
    expect(actionLabel('seller.merged')).toBe('seller.merged');
    expect(jobLabel('something new')).toBe('something new');
  });

  it('labels each audit action and the jobs of providers', async () => {
    for (const language of ['pt-BR', 'en']) {
      await i18next.changeLanguage(language);
      expect(ACTIONS.filter((action) => actionLabel(action) === action)).toEqual([]);
      expect(jobLabel('payments at bank (pix)')).toMatch(/ bank$/);
    }
  });
});
