import axios, {
  Axios,
  AxiosError,
  AxiosHeaders,
  getAdapter,
  type AxiosAdapter,
  type AxiosInstance,
  type AxiosStatic,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { AnyAxios } from './options.ts';

type Config = InternalAxiosRequestConfig;

/** A copy of axios: the one that is imported here, or another. */
export interface AxiosCopy {
  /** Without defaults, and without interceptors. */
  readonly plain: Pick<Axios, 'getUri'>;
  /** What a config names as its adapter. */
  adapter(named: Config['adapter'], config: Config): AxiosAdapter;
  errorClass(): typeof AxiosError | Promise<typeof AxiosError>;
}

let plain: Axios | undefined;

const imported: AxiosCopy = {
  get plain() {
    return (plain ??= new Axios({}));
  },
  adapter(named, config) {
    // Early versions take no config, and need none.
    const get: (adapter: Config['adapter'], config: Config) => AxiosAdapter = getAdapter;
    return get(named || axios.defaults.adapter, config);
  },
  errorClass: () => AxiosError,
};

const others = new WeakMap<object, OtherCopy>();

/**
 * The copy that an instance is of, for a config that it sends. `require` gives another than `import`,
 * with other classes of errors, and a tree may hold several versions.
 */
export function axiosOf(instance: AnyAxios, config: Config): AxiosCopy {
  if (config.headers instanceof AxiosHeaders) return imported;
  const { create } = instance as { create?: AxiosStatic['create'] };
  if (typeof create !== 'function') return imported;
  const known = others.get(instance) ?? new OtherCopy(create());
  others.set(instance, known);
  return known;
}

/** Its adapters are to be had by sending something only. */
class OtherCopy implements AxiosCopy {
  readonly plain: AxiosInstance;
  #errorClass: Promise<typeof AxiosError> | undefined;

  constructor(plain: AxiosInstance) {
    this.plain = plain;
    // A config that is sent has them already, but for those that an interceptor took away.
    const { defaults } = plain;
    for (const name of Object.keys(defaults)) delete defaults[name as keyof typeof defaults];
  }

  adapter(named: Config['adapter']): AxiosAdapter {
    if (typeof named === 'function') return named;
    return async (config) => {
      const once = { ...config, adapter: named, transformRequest: [], transformResponse: [] };
      try {
        return withConfig(await this.plain.request(once as object), config);
      } catch (error) {
        throw withConfig(error, config);
      }
    };
  }

  // No adapter at all is an error of its class.
  async errorClass(): Promise<typeof AxiosError> {
    this.#errorClass ??= this.plain.request({ adapter: [] }).then(
      () => AxiosError,
      (error: object) => error.constructor as typeof AxiosError,
    );
    return this.#errorClass;
  }
}

/** As if the config had been sent, and no copy of it. */
function withConfig<T>(ending: T, config: Config): T {
  const { response } = (ending ?? {}) as { response?: AxiosResponse };
  for (const holder of [ending, response] as { config?: Config }[]) {
    if (holder?.config) Reflect.set(holder, 'config', config);
  }
  return ending;
}
