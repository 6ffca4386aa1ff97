import { describe, expect, it } from 'vitest';

import { hasPermission, OPERATOR_ROLES, PERMISSIONS, SELLER_ROLES, type Permission } from './permissions.ts';

const permissions = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);
/** Permissions on the caller's own account. */
const ownAccount: readonly Permission[] = ['session:end', 'account:own'];
const sellerPermissions = permissions.filter(
  (name) => !name.startsWith('operator:') && !ownAccount.includes(name),
);
const operatorPermissions = permissions.filter((name) => name.startsWith('operator:'));
const reads = sellerPermissions.filter((name) => name.endsWith(':read'));

describe('permissions', () => {
  it('has exactly the roles of the contract', () => {
    expect(SELLER_ROLES).toEqual(['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER']);
    expect(OPERATOR_ROLES).toEqual(['ADMIN', 'SUPPORT']);
  });

  it('grants the owner every seller permission', () => {
    expect(sellerPermissions.length).toBeGreaterThan(3);
    for (const permission of sellerPermissions) expect(hasPermission('OWNER', permission)).toBe(true);
  });

  it('grants every seller role the read permissions', () => {
    expect(reads).toEqual(expect.arrayContaining(['transactions:read', 'wallet:read', 'webhooks:read']));
    for (const permission of reads) {
      for (const role of SELLER_ROLES) expect(hasPermission(role, permission)).toBe(true);
    }
  });

  it('grants a viewer nothing else', () => {
    for (const permission of sellerPermissions.filter((name) => !reads.includes(name))) {
      expect(hasPermission('VIEWER', permission)).toBe(false);
    }
  });

  it.each<readonly [Permission, boolean, boolean]>([
    ['transactions:create', true, false],
    ['webhooks:write', true, false],
  ])('%s: the developer %s, finance %s', (permission, developer, finance) => {
    expect(hasPermission('DEVELOPER', permission)).toBe(developer);
    expect(hasPermission('FINANCE', permission)).toBe(finance);
  });

  it('separates sellers from the operator', () => {
    for (const permission of operatorPermissions) {
      for (const role of SELLER_ROLES) expect(hasPermission(role, permission)).toBe(false);
    }
    for (const permission of sellerPermissions) {
      for (const role of OPERATOR_ROLES) expect(hasPermission(role, permission)).toBe(false);
    }
  });

  it('grants SUPPORT read access and ADMIN every operator permission', () => {
    expect(operatorPermissions).toEqual(expect.arrayContaining(['operator:read', 'operator:write']));
    for (const permission of operatorPermissions) {
      expect(hasPermission('ADMIN', permission)).toBe(true);
      expect(hasPermission('SUPPORT', permission)).toBe(permission === 'operator:read');
    }
  });

  it('grants only the owner changes to the team', () => {
    for (const role of SELLER_ROLES) expect(hasPermission(role, 'users:write')).toBe(role === 'OWNER');
  });

  it('grants every role its own sessions and account', () => {
    for (const role of [...SELLER_ROLES, ...OPERATOR_ROLES]) {
      for (const permission of ownAccount) expect(hasPermission(role, permission)).toBe(true);
    }
  });
});
