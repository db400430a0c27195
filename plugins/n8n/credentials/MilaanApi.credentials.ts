import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

export class MilaanApi implements ICredentialType {
  name = 'milaanApi';

  displayName = 'Milaan API';

  icon: Icon = { light: 'file:../icons/milaan.svg', dark: 'file:../icons/milaan.dark.svg' };

  documentationUrl = 'https://pay.example.in/docs/other-programs#n8n';

  properties: INodeProperties[] = [
    {
      displayName: 'Address of Milaan',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://pay.example.in',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: "From Milaan's Integrations screen; it is shown once",
      required: true,
    },
    {
      displayName: 'Webhook Secret',
      name: 'webhookSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      placeholder: 'whsec_…',
      description: 'From the same screen. The trigger needs it: without it every event is refused.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.replace(new RegExp("/+$"), "")}}',
      url: '/api/v1/orders',
      qs: { limit: 1 },
    },
  };
}
