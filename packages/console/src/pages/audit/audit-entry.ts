// An entry of the audit log.

export interface AuditEntry {
  key: number;
  createdDate: string;
  action: string;
  objectType: string;
  objectKey: number | null;
  objectName: string | null;
  userCode: string | null;
  clientId: string | null;
  changes: Record<string, [unknown, unknown]> | null;
}
