declare module 'dns-packet' {
  export type Question = { name: string; type: string };
  export type Answer = {
    name: string;
    type: string;
    ttl?: number;
    data: string | string[] | { preference: number; exchange: string };
  };
  export type Packet = {
    type: 'query' | 'response';
    id: number;
    flags?: number;
    questions?: Question[];
    answers?: Answer[];
  };
  export function decode(message: Buffer): Packet;
  export function encode(packet: Packet): Buffer;
  export const RECURSION_AVAILABLE: number;
  export const RECURSION_DESIRED: number;
}
