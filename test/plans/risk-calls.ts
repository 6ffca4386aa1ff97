import * as signals from '#payments/risk/store-signals.ts';
import * as rules from '#payments/risk/store.ts';
import { call, callNamed } from './call.ts';
import { DATE, idOf, LARGE, NOW } from './fill.ts';

const ID = idOf('transaction', 10_001);
const KEY = { sellerId: LARGE, id: ID, createdAt: new Date(DATE) };
const EMAIL = { kind: 'email', scope: 'SELLER' } as const;
const COUNT = { ...EMAIL, name: 'charges', declinesOnly: false, limit: 100 } as const;
const DECLINES = { ...EMAIL, name: 'declines', declinesOnly: true, limit: 5 } as const;
const COUNT_OF_ALL = { ...COUNT, name: 'charges of all', scope: 'ALL_SELLERS' } as const;
const DECLINES_OF_ALL = { ...DECLINES, name: 'declines of all', scope: 'ALL_SELLERS' } as const;
const NEWEST = Number.MAX_SAFE_INTEGER;
const CHARGE = {
  ...KEY,
  id: idOf('refund', 77),
  requestId: ID,
  signals: { email: 'common' },
  amount: 1_000,
  declined: false,
  countedBySeller: true,
  locks: [],
  queries: [DECLINES, DECLINES_OF_ALL],
} as const;
const EXACT = { ...CHARGE, locks: ['common'], queries: [COUNT, COUNT_OF_ALL] };

export const RISK_CALLS = [
  call(20, rules.findRules),
  call(20, rules.findRule, LARGE),
  callNamed(20, rules.loadPolicy),
  call(20, rules.findEntries, 'blocked-emails', 100),
  call(20, rules.hasEntry, 'blocked-emails', ['a']),
  call(20, rules.countEntries),
  call(10, rules.lockPolicy),
  callNamed(100, signals.insertAndCount, [CHARGE]),
  callNamed(300, signals.insertAndCount, [EXACT]),
  callNamed(300, signals.findCountedOfAll, CHARGE, COUNT, NEWEST),
  callNamed(30, signals.findCountedOfAll, CHARGE, DECLINES, NEWEST),
  call(20, signals.findDecision, KEY),
  call(20, signals.findSignals, KEY),
  callNamed(100, signals.recordDeclines, [KEY]),
  call(100, signals.settleSignals, KEY),
  call(100, signals.deleteSignals, KEY),
  call(100, signals.eraseSignals, KEY),
  call(500, signals.findRelatives, ['email', 'common'], KEY),
  call(30, signals.findQueue, 10, null),
  call(30, signals.findQueue, 10, ID),
  call(300, signals.countQueue),
  call(1_500, signals.deleteSignalsBefore, NOW, 100),
];
