import type { FastifyRequest } from 'fastify';
import { emptyForm, parseForm } from '../../base/http/form.ts';
import { storable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import { chooseLanguage } from '../../texts/choose-language.ts';
import type { FileAddresses } from './layout.ts';
import type { NavigationItem } from './navigation-item.ts';
import type { OpenVisit } from './route.ts';
import { readLanguageCookie, readSessionCookie } from './session-cookie.ts';

export type Dashboard = {
  files: FileAddresses;
  items: readonly NavigationItem[];
};

export function openVisit(world: World, request: FastifyRequest): OpenVisit {
  const query = parseForm(request.url.split('?').slice(1).join('?')) ?? emptyForm;
  return {
    texts: chooseLanguage(chosenLanguage(query, request), request.headers['accept-language']),
    form: emptyForm,
    query,
    params: request.params as Record<string, string>,
    now: world.clock.now(),
    url: request.url,
    address: request.ip,
    agent: storable(request.headers['user-agent'] ?? '', mostAgentText),
    cookie: readSessionCookie(request.headers.cookie, world.baseUrl),
    request,
  };
}

/** Of what a browser calls itself. */
const mostAgentText = 300;

/** The address's word, else what was chosen on an earlier page. */
export function chosenLanguage(query: OpenVisit['query'], request: FastifyRequest): string {
  return query.text('lang') || readLanguageCookie(request.headers.cookie);
}
