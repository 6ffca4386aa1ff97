import type { SeededRandom } from './seeded-random.ts';

/** The shape of demand over a year: invented, but typical of online shops. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Brazil has had no daylight saving time since 2019. */
const SAO_PAULO_MS = -3 * HOUR_MS;

/** Share of a day's sales by hour: low at night, high at lunch and in the evening. */
const HOURS = [
  1, 0.5, 0.3, 0.2, 0.2, 0.4, 1, 2, 3.5, 5, 6, 6.5, 6.5, 5.5, 5.5, 5.5, 5.5, 5.5, 6, 6.5, 7, 6.5, 4.5, 2.5,
];
/** Sunday to Saturday. */
const WEEKDAYS = [0.75, 1.05, 1.1, 1.1, 1.05, 1.1, 0.85];
/** Special days: month-day, sales factor, and number of preceding days it covers. */
const SEASONS: readonly (readonly [string, number, number])[] = [
  ['12-24', 1.9, 14], // Christmas
  ['05-10', 1.6, 8], // Mother's Day
  ['06-12', 1.5, 6], // Valentine's Day, in Brazil
  ['08-11', 1.3, 6], // Father's Day
  ['10-12', 1.35, 5], // Children's Day
  ['11-28', 2.6, 4], // Black Friday
];

/** The demand at a time; 1 is an ordinary hour of an ordinary day at the end of the history. */
export function demandAt(ms: number, endMs: number): number {
  const local = new Date(ms + SAO_PAULO_MS);
  const growth = 0.55 + 0.45 * Math.max(0, 1 - (endMs - ms) / (365 * DAY_MS));
  const hour = (HOURS[local.getUTCHours()] ?? 1) / 4;
  return growth * hour * (WEEKDAYS[local.getUTCDay()] ?? 1) * seasonAt(local);
}

function seasonAt(local: Date): number {
  let factor = 1;
  for (const [day, more, before] of SEASONS) {
    const peak = Date.parse(`${local.getUTCFullYear()}-${day}T23:59:59Z`);
    const away = (peak - local.getTime()) / DAY_MS;
    if (away >= 0 && away <= before) factor = Math.max(factor, 1 + (more - 1) * (1 - away / (before + 1)));
  }
  return factor;
}

export interface Shop {
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
  /** Its share of all sales. */
  readonly share: number;
  /** Shares of Pix and boleto; the rest is paid by card. */
  readonly pix: number;
  readonly boleto: number;
  readonly tangible: boolean;
  readonly autoApproveUpTo: number;
  readonly chargebackFee: number;
  /** Title and price in cents. */
  readonly goods: readonly [Good, ...Good[]];
}
type Good = readonly [string, number];

/** The demo seller, and four sellers whose users cannot sign in. */
export const DEMO_SHOP: Omit<Shop, 'name' | 'documentType' | 'document'> = {
  share: 0.34,
  pix: 0.62,
  boleto: 0.14,
  tangible: true,
  autoApproveUpTo: 500_000,
  chargebackFee: 0,
  goods: [
    ['Caneca de cerâmica', 4_990],
    ['Camiseta estampada', 7_990],
    ['Quadro decorativo', 12_900],
    ['Luminária de mesa', 18_990],
    ['Kit de cadernos', 5_490],
    ['Mochila urbana', 24_900],
  ],
};

export const OTHER_SHOPS: readonly Shop[] = [
  {
    name: 'Café do Largo',
    documentType: 'CNPJ',
    document: '45723174000110',
    share: 0.26,
    pix: 0.9,
    boleto: 0,
    tangible: true,
    autoApproveUpTo: 200_000,
    chargebackFee: 0,
    goods: [
      ['Café em grãos 250 g', 3_890],
      ['Assinatura mensal de café', 8_990],
      ['Bolo inteiro', 6_500],
    ],
  },
  {
    name: 'Eletro Sul',
    documentType: 'CNPJ',
    document: '60746948000112',
    share: 0.16,
    pix: 0.45,
    boleto: 0.25,
    tangible: true,
    autoApproveUpTo: 0,
    chargebackFee: 2_500,
    goods: [
      ['Fone sem fio', 29_900],
      ['Smartphone', 189_900],
      ['Monitor 27 pol.', 129_900],
      ['Teclado mecânico', 44_900],
    ],
  },
  {
    name: 'Cursos Aurora',
    documentType: 'CNPJ',
    document: '33000167000101',
    share: 0.14,
    pix: 0.5,
    boleto: 0.3,
    tangible: false,
    autoApproveUpTo: 1_000_000,
    chargebackFee: 1_500,
    goods: [
      ['Curso de fotografia', 39_700],
      ['Curso de programação', 99_700],
      ['Aula avulsa', 12_000],
    ],
  },
  {
    name: 'Marina Prado Design',
    documentType: 'CPF',
    document: '52998224725',
    share: 0.1,
    pix: 0.8,
    boleto: 0.1,
    tangible: false,
    autoApproveUpTo: 0,
    chargebackFee: 0,
    goods: [
      ['Identidade visual', 250_000],
      ['Cartão de visita', 15_000],
      ['Pacote de artes', 48_000],
    ],
  },
];

const FIRST_NAMES = [
  'Ana',
  'Bruno',
  'Carla',
  'Diego',
  'Eduarda',
  'Felipe',
  'Gabriela',
  'Heitor',
  'Isabela',
  'João',
  'Karina',
  'Lucas',
  'Mariana',
  'Nelson',
  'Olívia',
  'Paulo',
  'Renata',
  'Sérgio',
  'Tatiana',
  'Vinícius',
] as const;
const LAST_NAMES = [
  'Almeida',
  'Barbosa',
  'Cardoso',
  'Dias',
  'Ferreira',
  'Gomes',
  'Lima',
  'Machado',
  'Nunes',
  'Oliveira',
  'Pereira',
  'Ribeiro',
  'Santos',
  'Teixeira',
  'Vieira',
] as const;

/** The undeliverable email address of a name, without its accents. */
export function emailOf(name: string, suffix = ''): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '.');
  return `${plain}${suffix}@example.com`;
}

/** A random customer. The document has valid check digits. */
export function randomCustomer(random: SeededRandom) {
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  return {
    name,
    email: emailOf(name, String(random.integerBetween(1, 99))),
    phone: `${random.pick(['11', '21', '31', '41', '51', '61', '71', '81'])}9${random.digits(8)}`,
    documentType: 'CPF' as const,
    document: appendCpfCheckDigits(random.digits(9)),
    externalRef: random.isTrueWithProbability(0.3) ? `client-${random.integerBetween(1, 9_999)}` : null,
  };
}

/** Nine digits with two check digits: modulo 11, as the Receita Federal defines it. */
function appendCpfCheckDigits(nine: string): string {
  let digits = nine;
  for (const length of [9, 10]) {
    const sum = Array.from(digits).reduce(
      (total, digit, index) => total + Number(digit) * (length + 1 - index),
      0,
    );
    const rest = (sum * 10) % 11;
    digits += rest === 10 ? 0 : rest;
  }
  return digits;
}
