import { StartError } from '../base/start-error.ts';
import type { Command } from './command.ts';

const home = new URL('../../sdk/mcp/', import.meta.url);

/** Tools for agents are a package of their own: the service needs none of what they bring along. */
export const mcpCommand: Command = {
  summary: 'Offers payments to an agent as tools (MCP, over stdin and stdout); sdk/mcp/README.md',
  needs: 'nothing',
  options: { 'allow-create': { meaning: 'a live key may also create payments', flag: true } },
  settings: 'MILAAN_URL, MILAAN_API_KEY, MILAAN_WEBHOOK_URL (to create payments)',
  async run(args) {
    const { serve } = await import(new URL('mcp.js', home).href).catch(error => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      throw new StartError(`its parts are not installed: npm install --prefix ${home.pathname}`);
    });
    return await serve(args);
  },
};
