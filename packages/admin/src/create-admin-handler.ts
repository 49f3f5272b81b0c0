import type { HttpCircuitBreaker } from '@recloser/core';
import { checkHttpCircuitBreaker, shown } from '@recloser/core/adapter';
import type { AdminHandler, AdminOptions } from './admin-options.ts';
import { AdminRoutes } from './admin-routes.ts';
import { errorAnswer, jsonAnswer } from './answers.ts';
import { Authorization } from './authorization.ts';
import { resolveAdminOptions } from './resolve-admin-options.ts';

/**
 * Makes the handler of an operator's page and API for the breakers of one `HttpCircuitBreaker`, as
 * this process knows them. It begins to keep events at once, and listens for as long as the breaker
 * lives, or until `signal` ends it: make one.
 *
 *     const handler = createAdminHandler(breaker, { authorize: (request) => isOperator(request) });
 *
 * @throws TypeError or RangeError that names what is wrong; without `authorize` there is no handler
 */
export function createAdminHandler(
  breaker: HttpCircuitBreaker,
  options: AdminOptions,
): AdminHandler {
  checkHttpCircuitBreaker('createAdminHandler: breaker', breaker);
  const resolved = resolveAdminOptions(options);
  const authorization = new Authorization(resolved.authorize);
  const routes = new AdminRoutes(breaker, authorization, resolved);
  let hasComplained = false;
  return async (request) => {
    if (typeof request?.headers?.get !== 'function') {
      // Once, since anybody may bring it about.
      if (!hasComplained) console.error(complaintAbout(request));
      hasComplained = true;
      return jsonAnswer({ error: 'the handler got no Request' }, 500);
    }
    try {
      // Before all else, so that nobody else learns what there is.
      await authorization.check(request, { kind: 'read' });
      return await routes.answer(request);
    } catch (error) {
      return errorAnswer(error);
    }
  };
}

function complaintAbout(request: unknown): string {
  const what = `takes the Request of fetch, but got ${shown(request)}`;
  return `recloser: the handler of createAdminHandler ${what}; toNodeHandler(handler) takes those of Node`;
}
