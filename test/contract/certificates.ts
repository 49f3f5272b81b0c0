import { generate } from 'selfsigned';
import { setDefaultCACertificates } from 'node:tls';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Self-signed, for 127.0.0.1: no client trusts it. */
export async function strangeCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  return { key, cert };
}

let trusted: Promise<Certificate> | undefined;

/** One that all clients of this process trust, and no other. */
export function trustedCertificate(): Promise<Certificate> {
  return (trusted ??= strangeCertificate().then((certificate) => {
    setDefaultCACertificates([certificate.cert]);
    return certificate;
  }));
}
