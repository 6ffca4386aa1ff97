import * as signals from '#risk/store-signals.ts';
import * as rules from '#risk/store.ts';
import { call, callNamed } from './call.ts';
import { DATE, idOf, LARGE, NOW } from './fill.ts';

const ID = idOf('transaction', 10_001);
const KEY = { sellerId: LARGE, id: ID };
const SIGNAL = { kind: 'document', key: 'common' } as const;
const SINCE = new Date(DATE);
const COUNT = {
  key: 'common',
  exceptRequest: ID,
  declinesOnly: false,
  sellerId: null,
  since: SINCE,
  limit: 100,
};

export const RISK_CALLS = [
  call(20, rules.findRules),
  call(20, rules.findRule, LARGE),
  callNamed(20, rules.loadPolicy),
  call(20, rules.findEntries, 'blocked-emails', 100),
  call(20, rules.countEntries),
  call(10, rules.lockPolicy),
  call(10, signals.lockKeys, ['a', 'b']),
  call(900, signals.findCounted, [COUNT, { ...COUNT, sellerId: LARGE }]),
  call(6_000, signals.findCounted, [{ ...COUNT, declinesOnly: true, limit: 5 }]),
  call(20, signals.findDecision, KEY),
  call(20, signals.findSignals, KEY),
  call(500, signals.findRelatives, SIGNAL, KEY),
  call(30, signals.findQueue, 10, null),
  call(30, signals.findQueue, 10, ID),
  call(300, signals.countQueue),
  call(1_500, signals.deleteSignalsBefore, NOW, 100),
];
