export type Finding =
  | { state: 'ok'; what: string; found: string }
  | { state: 'warning' | 'fault'; what: string; found: string; todo: string };

export function fine(what: string, found: string): Finding {
  return { state: 'ok', what, found };
}

export function warning(what: string, found: string, todo: string): Finding {
  return { state: 'warning', what, found, todo };
}

export function fault(what: string, found: string, todo: string): Finding {
  return { state: 'fault', what, found, todo };
}
