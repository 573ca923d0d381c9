from posthog import Posthog

posthog = Posthog("phc_your_project_key", host="http://localhost:8000")

posthog.set(distinct_id="user-1", properties={"plan": "pro"})
posthog.capture("order placed", distinct_id="user-1", properties={"total": 12.5})
flags = posthog.evaluate_flags("user-1")
print("the new checkout" if flags.is_enabled("new-checkout") else "the old checkout")
posthog.shutdown()
