import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Form } from '../../base/http/form.ts';
import type { Html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Permission, VisitorRole } from '../../business/accounts/may-do.ts';
import type { SessionKey } from '../../business/accounts/queries/sessions.ts';
import type { Person } from '../../business/accounts/queries/users.ts';
import type { Language, Texts } from '../../texts/languages.ts';

/** What a page is asked with, whoever asks. */
export type OpenVisit = {
  texts: Texts;
  /** The fields of a POST; empty for a GET. */
  form: Form;
  query: Form;
  params: Readonly<Record<string, string>>;
  now: Date;
  /** The path with its query, for links back to here. */
  url: string;
  address: string;
  agent: string;
  /** The cookie's token as it came, for the steps of sign-in. */
  cookie: string | null;
  request: FastifyRequest;
};

/** A visit by somebody who is signed in. Every query takes `merchantId` from here, never from the request (R12). */
export type Visit = OpenVisit & {
  merchantId: number;
  user: Person & { email: string; role: VisitorRole; language: Language | null; hasTotp: boolean };
  session: SessionKey & { fresh: boolean };
  business: {
    name: string;
    disabledAt: Date | null;
    disabledReason: string;
    noNewOrders: boolean;
    /** Until then an operator looks on, in whose visit alone it stands. */
    supportViewUntil: Date | null;
    deletionRequestedAt: Date | null;
    /** It has left with everything. */
    leftAt: Date | null;
    closed: boolean;
  };
  may(permission: Permission): boolean;
};

export type Page = {
  title: string;
  body: Html;
  status?: number;
  /** Said above the body, once; for a page that answers a POST. */
  flash?: string;
  /** An origin to which the page's forms may lead beside our own. */
  formTo?: string;
};

export type Answer =
  | ({ kind: 'page' } & Page)
  /** `flash` is shown by the next page. `session` puts a token into the cookie, or ends it. */
  | { kind: 'redirect'; to: string; flash?: string; session?: { token: string } | 'end' }
  /** HTML without the frame, for scripts that refresh a part of the page. */
  | { kind: 'fragment'; body: Html }
  | { kind: 'json'; value: unknown; status?: number }
  | { kind: 'download'; name: string; type: string; content: Readable | Buffer | string }
  /** Also for what belongs to another business: the two look the same (R12). */
  | { kind: 'not_found' };

type Path = `/dashboard${string}`;

type Members = {
  permission: Permission;
  /** Asks for the password or a passkey again when that was more than ten minutes ago. */
  fresh?: boolean;
  /** Its form may bring a file; with all its fields it has at most so many bytes. */
  upload?: number;
};

type Handle<Who> = (world: World, visit: Who extends 'anyone' ? OpenVisit : Visit) => Promise<Answer>;

/** The list of all of them is data, which tests walk. */
export type DashboardRoute = { method: 'GET' | 'POST'; path: Path } & (
  | (Members & { handle: Handle<Permission> })
  | { permission: 'anyone'; handle: Handle<'anyone'> }
);

/** The single way to declare a page of the dashboard: its address, who may open it, and what it does. */
type Declare = {
  (path: Path, who: 'anyone', handle: Handle<'anyone'>): DashboardRoute;
  (path: Path, who: Permission | Members, handle: Handle<Permission>): DashboardRoute;
};

const declare =
  (method: 'GET' | 'POST'): Declare =>
  (path: Path, who: 'anyone' | Permission | Members, handle: Handle<never>) =>
    ({ method, path, ...(typeof who === 'string' ? { permission: who } : who), handle }) as DashboardRoute;

export const get = declare('GET');
export const post = declare('POST');
/** Only for whoever has just proven to be there. */
export const fresh = (permission: Permission): Members => ({ permission, fresh: true });

export const page = (page: Page): Answer => ({ kind: 'page', ...page });
export const redirect = (to: string, flash?: string): Answer => ({
  kind: 'redirect',
  to,
  ...(flash !== undefined && { flash }),
});
export const notFound = (): Answer => ({ kind: 'not_found' });

const below = /^\/dashboard(?:[/?#]|$)/;

/** Where to go on to: a path of the dashboard, whatever the field says, in the spelling that a header can carry. */
export const nextPath = (form: Form, otherwise = '/dashboard'): string => {
  const next = form.text('next');
  const url = URL.parse(next, 'http://here.invalid');
  if (url?.host !== 'here.invalid' || !below.test(next) || /[\\\r\n]/.test(next)) return otherwise;
  return below.test(url.pathname) ? url.pathname + url.search + url.hash : otherwise;
};
