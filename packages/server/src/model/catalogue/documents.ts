// Invoices, credit notes and accruals, and the remarks and files that people attach to any object.

import type { TypeDeclaration } from '../object-type.ts';

export const documents: Record<string, TypeDeclaration> = {
  Document: {
    description: 'An invoice, credit note or accrual.',
    shownBy: ['documentNo', 'documentType'],
    attributes: {
      documentNo: { kind: 'text', maxLength: 32, description: 'Number of the document.' },
      documentText: { kind: 'text', maxLength: 512, description: 'What the document is about.' },
      externalDocumentNo: { kind: 'text', maxLength: 64, description: 'Number in the other system.' },
      documentType: {
        kind: 'code',
        values: ['INI', 'INO', 'CRI', 'CRO', 'ACC', 'ACP'],
        isRequired: true,
        description: 'Invoice in or out, credit note in or out, accrued cost, accrued profit.',
        example: 'INO',
      },
      invoicingStatus: {
        kind: 'code',
        values: ['PEN', 'RFP', 'PST'],
        description: 'Pending, ready for posting, posted.',
      },
      documentAmount: { kind: 'decimal', description: 'Amount without VAT.' },
      vat: { kind: 'decimal', description: 'Value added tax.' },
      company: { kind: 'reference', to: 'BusinessPartner', isRequired: true },
      businessPartner: { kind: 'reference', to: 'BusinessPartner' },
      voyage: { kind: 'reference', to: 'Voyage' },
      currency: { kind: 'reference', to: 'Currency' },
    },
  },
  DocumentLine: {
    description: 'One line of a document.',
    attributes: {
      lineText: { kind: 'text', maxLength: 256, description: 'What the line is about.' },
      amount: { kind: 'decimal', description: 'Amount of the line.' },
      quantity: { kind: 'decimal', description: 'Quantity of the line.' },
      document: { kind: 'owner', to: 'Document', collection: 'documentLines', isRequired: true },
      voyage: { kind: 'reference', to: 'Voyage' },
    },
  },
  Remarks: {
    description: 'A note about any object. It is deleted with the object and is never notified.',
    shownBy: ['remarkTitle'],
    makesEvents: false,
    attributes: {
      remarkTitle: { kind: 'text', maxLength: 128, description: 'Title of the remark.' },
      remarkText: { kind: 'text', description: 'The remark itself.' },
      source: { kind: 'objectKey', isRequired: true, description: 'Key of the object that the remark is about.' },
    },
  },
  Attachment: {
    description: 'A file attached to a remark.',
    makesEvents: false,
    attributes: {
      fileName: { kind: 'text', isRequired: true, description: 'Name of the file, as the caller gave it.' },
      file: { kind: 'binary', isRequired: true, isOnDemand: true, description: 'The content in Base64.' },
      remarks: { kind: 'owner', to: 'Remarks', collection: 'attachments', isRequired: true },
    },
  },
};
