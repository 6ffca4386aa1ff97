import { describe, expect, it } from 'vitest';

import { hasPermission, OPERATOR_ROLES, PERMISSIONS, SELLER_ROLES, type Permission } from './permissions.ts';

const permissions = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);
/** Of a person, whoever they sign in for. */
const ofEverybody: readonly Permission[] = ['session:end', 'account:own'];
const ofSellers = permissions.filter((name) => !name.startsWith('operator:') && !ofEverybody.includes(name));
const ofTheOperator = permissions.filter((name) => name.startsWith('operator:'));
const reads = ofSellers.filter((name) => name.endsWith(':read'));

describe('who may do what', () => {
  it('names the roles of the contract and no others (C5)', () => {
    expect(SELLER_ROLES).toEqual(['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER']);
    expect(OPERATOR_ROLES).toEqual(['ADMIN', 'SUPPORT']);
  });

  it('lets the owner do everything of a seller (C5)', () => {
    expect(ofSellers.length).toBeGreaterThan(3);
    for (const permission of ofSellers) expect(hasPermission('OWNER', permission)).toBe(true);
  });

  it('lets every role of a seller read (C5)', () => {
    expect(reads).toEqual(expect.arrayContaining(['transactions:read', 'wallet:read', 'webhooks:read']));
    for (const permission of reads) {
      for (const role of SELLER_ROLES) expect(hasPermission(role, permission)).toBe(true);
    }
  });

  it('lets a viewer do nothing else (C5)', () => {
    for (const permission of ofSellers.filter((name) => !reads.includes(name))) {
      expect(hasPermission('VIEWER', permission)).toBe(false);
    }
  });

  it.each<readonly [Permission, boolean, boolean]>([
    ['transactions:create', true, false],
    ['webhooks:write', true, false],
  ])('%s: the developer %s, finance %s (C5)', (permission, developer, finance) => {
    expect(hasPermission('DEVELOPER', permission)).toBe(developer);
    expect(hasPermission('FINANCE', permission)).toBe(finance);
  });

  it('keeps sellers and the operator apart (C5, C13)', () => {
    for (const permission of ofTheOperator) {
      for (const role of SELLER_ROLES) expect(hasPermission(role, permission)).toBe(false);
    }
    for (const permission of ofSellers) {
      for (const role of OPERATOR_ROLES) expect(hasPermission(role, permission)).toBe(false);
    }
  });

  it('lets SUPPORT read and ADMIN do everything of the operator (C5, C13)', () => {
    expect(ofTheOperator).toEqual(expect.arrayContaining(['operator:read', 'operator:write']));
    for (const permission of ofTheOperator) {
      expect(hasPermission('ADMIN', permission)).toBe(true);
      expect(hasPermission('SUPPORT', permission)).toBe(permission === 'operator:read');
    }
  });

  it('lets the owner alone change the team', () => {
    for (const role of SELLER_ROLES) expect(hasPermission(role, 'users:write')).toBe(role === 'OWNER');
  });

  it('lets everybody end their own session and keep their own account (C5)', () => {
    for (const role of [...SELLER_ROLES, ...OPERATOR_ROLES]) {
      for (const permission of ofEverybody) expect(hasPermission(role, permission)).toBe(true);
    }
  });
});
