{{- /* What all pods have in common. Takes a dict of root and component. */ -}}
{{- define "flaghoist.podSpec" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
# A service called flaghoist would set FLAGHOIST_PORT, which is a setting.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 64Mi
  {{- with .root.Values.modelConfigMap }}
  - name: model
    configMap:
      name: {{ . }}
  {{- end }}
  {{- with .root.Values.caConfigMap }}
  - name: ca
    configMap:
      name: {{ . }}
  {{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "flaghoist.container" -}}
image: {{ include "flaghoist.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env: {{- include "flaghoist.env" .root | nindent 2 }}
  {{- if ne .component "migration" }}
  - name: FLAGHOIST_ROLES
    value: {{ .component }}
  {{- end }}
  {{- if and (eq .component "api") (not (hasKey .root.Values.settings "FLAGHOIST_DRAIN_SECONDS")) }}
  # Until the cluster has stopped sending requests here.
  - name: FLAGHOIST_DRAIN_SECONDS
    value: "5"
  {{- end }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if .root.Values.modelConfigMap }}
  - name: model
    mountPath: /etc/flaghoist/model
    readOnly: true
  {{- end }}
  {{- if .root.Values.caConfigMap }}
  - name: ca
    mountPath: /etc/flaghoist/ca
    readOnly: true
  {{- end }}
{{- end }}

{{- define "flaghoist.env" -}}
- name: NODE_OPTIONS
  value: {{ .Values.nodeOptions | quote }}
- name: FLAGHOIST_BASE_URL
  value: {{ required "baseUrl is required: the public URL" .Values.baseUrl | quote }}
{{- if .Values.modelConfigMap }}
- name: FLAGHOIST_MODEL_FILE
  value: /etc/flaghoist/model/model.json
{{- end }}
{{- if .Values.caConfigMap }}
- name: FLAGHOIST_CA_FILE
  value: /etc/flaghoist/ca/ca.pem
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ include "flaghoist.text" $value | quote }}
{{- end }}
{{- $secret := required "existingSecret is required: a Secret with DATABASE_URL" .Values.existingSecret }}
{{- range $name := list "DATABASE_URL" "FLAGHOIST_ENCRYPTION_KEY" }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $secret }}, key: {{ $name }} }
{{- end }}
{{- range $name := include "flaghoist.optionalSecrets" . | fromYamlArray }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $secret }}, key: {{ $name }}, optional: true }
{{- end }}
{{- end }}

{{- /* Helm would write large numbers as 1e+07. */ -}}
{{- define "flaghoist.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end -}}
{{- end }}

{{- define "flaghoist.optionalSecrets" -}}
- FLAGHOIST_ALERT_URL
- FLAGHOIST_BOOTSTRAP_CLIENT_SECRET
- FLAGHOIST_CONSOLE_CLIENT_SECRET
- FLAGHOIST_EGRESS_PROXY
- FLAGHOIST_METRICS_TOKEN
- FLAGHOIST_SMTP_URL
- OTEL_EXPORTER_OTLP_HEADERS
- OTEL_EXPORTER_OTLP_TRACES_HEADERS
{{- end }}
