import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { orderFields } from './order-fields';
import { runOperation } from './run-operation';

export class Milaan implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Milaan',
    name: 'milaan',
    icon: { light: 'file:../../icons/milaan.svg', dark: 'file:../../icons/milaan.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "UPI payments into your own bank account, confirmed from your bank's signed mails",
    defaults: { name: 'Milaan' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'milaanApi', required: true }],
    properties: orderFields,
    usableAsTool: true,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        const found = await runOperation(this, item);
        results.push(...found.map(json => ({ json, pairedItem: { item } })));
      } catch (error) {
        // An error that already has Milaan's message stays as it is.
        if (!this.continueOnFail())
          throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item });
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [results];
  }
}
