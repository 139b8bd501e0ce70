// The two parts of undici that svc loads; undici gives types only for the whole.

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';

  export = Client;
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';

  function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
  export = request;
}
