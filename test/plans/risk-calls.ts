import * as signals from '#risk/store-signals.ts';
import * as rules from '#risk/store.ts';
import { call, callNamed } from './call.ts';
import { DATE, idOf, LARGE, NOW } from './fill.ts';

const ID = idOf('transaction', 10_001);
const KEY = { sellerId: LARGE, id: ID, createdAt: new Date(DATE) };
const SIGNAL = { kind: 'document', key: 'common' } as const;
const COUNT = {
  key: 'common',
  sellerId: LARGE,
  requestId: ID,
  number: Number.MAX_SAFE_INTEGER,
  scope: 'SELLER',
  declinesOnly: false,
  limit: 100,
} as const;
const CHARGE = {
  ...KEY,
  requestId: ID,
  signals: [SIGNAL],
  amount: 1_000,
  declined: false,
  locks: ['common'],
} as const;

export const RISK_CALLS = [
  call(20, rules.findRules),
  call(20, rules.findRule, LARGE),
  callNamed(20, rules.loadPolicy),
  call(20, rules.findEntries, 'blocked-emails', 100),
  call(20, rules.hasEntry, 'blocked-emails', ['a']),
  call(20, rules.countEntries),
  call(10, rules.lockPolicy),
  callNamed(100, signals.insertSignals, [CHARGE]),
  callNamed(100, signals.insertSignalsAndFindDeclines, [CHARGE], [{ ...COUNT, limit: 5 }]),
  callNamed(300, signals.findCountedOfSellers, [COUNT, COUNT], false),
  callNamed(30, signals.findCountedOfSellers, [{ ...COUNT, limit: 5 }], true),
  callNamed(300, signals.findCountedOfAll, COUNT),
  callNamed(30, signals.findCountedOfAll, { ...COUNT, declinesOnly: true, limit: 5 }),
  call(20, signals.findDecision, KEY),
  call(20, signals.findSignals, KEY),
  callNamed(100, signals.recordDeclines, [KEY]),
  call(100, signals.settleSignals, KEY),
  call(100, signals.deleteSignals, KEY),
  call(100, signals.eraseSignals, KEY),
  call(500, signals.findRelatives, SIGNAL, KEY),
  call(30, signals.findQueue, 10, null),
  call(30, signals.findQueue, 10, ID),
  call(300, signals.countQueue),
  call(1_500, signals.deleteSignalsBefore, NOW, 100),
];
