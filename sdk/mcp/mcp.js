#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Refusal, toolsFor } from './tools.js';

const usage = `milaan-mcp: Milaan's payments as tools of an agent, over stdin and stdout.

  MILAAN_URL          the address of the installation
  MILAAN_API_KEY      a key of the business; a sandbox's (ml_test_…) may also create and play payments
  MILAAN_WEBHOOK_URL  where the shop takes its webhooks: without it no payment can be created
  MILAAN_SHOP_URL     where customers return to; the origin of the webhook address when left out

  --allow-create      also with a live key, payments may be created; without it the agent only reads`;

/** Serves until stdin ends. Returns the exit code if it cannot start. */
export async function serve(args, env = process.env) {
  const unknown = args.filter(argument => argument !== '--allow-create');
  const problem = unknown.length > 0 ? `unknown: ${unknown.join(' ')}` : wrongWith(env);
  if (problem !== null) {
    console.error(args.includes('--help') ? usage : `milaan-mcp: ${problem}\n\n${usage}`);
    return args.includes('--help') ? 0 : 2;
  }
  const tools = toolsFor({
    baseUrl: env.MILAAN_URL,
    apiKey: env.MILAAN_API_KEY,
    allowCreate: args.includes('--allow-create'),
    webhookUrl: env.MILAAN_WEBHOOK_URL,
    shopUrl: env.MILAAN_SHOP_URL,
  });
  const server = new Server({ name: 'milaan', version: '0.2.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ run: _, ...tool }) => tool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) return said('There is no such tool.', true);
    try {
      return said(JSON.stringify(await tool.run(params.arguments ?? {}), null, 2));
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      return said(error instanceof Refusal ? error.message : 'Something went wrong here.', true);
    }
  });
  const ended = new Promise(resolve => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  return 0;
}

function wrongWith({ MILAAN_URL = '', MILAAN_API_KEY = '', MILAAN_WEBHOOK_URL }) {
  const address = URL.canParse(MILAAN_URL) ? new URL(MILAAN_URL) : null;
  if (!address || !/^https?:$/.test(address.protocol)) return 'MILAAN_URL is not an address';
  const isNear = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
  if (address.protocol === 'http:' && !isNear)
    return 'MILAAN_URL must be https: the key travels with every call';
  if (!/^ml_(?:live|test)_[0-9A-Za-z]{38}$/.test(MILAAN_API_KEY)) return 'MILAAN_API_KEY is not a key';
  if (MILAAN_WEBHOOK_URL !== undefined && !URL.canParse(MILAAN_WEBHOOK_URL))
    return 'MILAAN_WEBHOOK_URL is not an address';
  return null;
}

function said(text, isError = false) {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = await serve(process.argv.slice(2));
