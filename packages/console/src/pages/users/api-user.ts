// A user, as the service shows it.

export interface ApiUser {
  key: number;
  userCode: string;
  name: string | null;
  email: string | null;
  edition: string;
  apiVersion: string | null;
  active: boolean;
}
