import cookie from '@fastify/cookie';

import { passkeyRoutes } from '#identity/passkeys/routes.ts';
import { passkeySignInRoutes } from '#identity/passkeys/sign-in-routes.ts';
import { stepUpRoutes } from '#identity/step-up/routes.ts';
import type { App } from '#platform/http/server.ts';
import { createSessionCookies } from './cookies.ts';
import { profileRoutes, type ProfileRouteDeps } from './profile-routes.ts';
import { signInRoutes, type SignInRouteDeps } from './sign-in-routes.ts';

type UserRouteDeps = Omit<ProfileRouteDeps & SignInRouteDeps, 'cookies'> & { readonly publicUrl: string };

/** Signing in and one's own account. Only these routes read cookies. */
export async function userRoutes(app: App, deps: UserRouteDeps): Promise<void> {
  await app.register(async (scope: App) => {
    await scope.register(cookie);
    const cookies = createSessionCookies(deps.publicUrl);
    signInRoutes(scope, { ...deps, cookies });
    passkeySignInRoutes(scope, { ...deps, cookies });
    stepUpRoutes(scope, deps);
    profileRoutes(scope, { ...deps, cookies });
    passkeyRoutes(scope, deps);
  });
}
